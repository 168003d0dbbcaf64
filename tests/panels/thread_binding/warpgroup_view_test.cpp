#include <gmock/gmock.h>

#include <set>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/fragment.h"
#include "app/panels/thread_binding/view/waves.h"
#include "tests/panels/warpgroup_kernel.h"

namespace loom::session::thread_binding_warpgroup_view_test {
namespace {

std::shared_ptr<const device::Program> programOf(bool loaders, int groups = 1) {
  return std::make_shared<const device::Program>(warpgroupKernel(loaders, groups).program.value());
}

// The access of the product that takes the factor, by its operand's number; of the write to the sum 0.
int accessOfProduct(const ThreadBinding& binding, int operand) {
  const auto& all = binding.accesses().accesses;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].agent == device::Agent::TensorCore && all[i].operand == operand) return int(i);
  return -1;
}

BindingView viewOf(const ThreadBinding& binding, int access, std::int64_t thread = 0) {
  BindingChoice choice;
  choice.access = access;
  choice.thread = thread;
  return binding.view(choice);
}

TEST(WarpgroupBinding, EachWarpHoldsSixteenRowsOfTheSum) {
  const ThreadBinding binding(programOf(false));
  const int sum = accessOfProduct(binding, 0);
  ASSERT_GE(sum, 0);
  const BindingView view = viewOf(binding, sum);
  ASSERT_TRUE(view.fragment && view.fragment->held);
  EXPECT_EQ(view.fragment->rows(), 64);
  EXPECT_EQ(view.fragment->columns(), 64);
  const layout::Layout held = view.fragment->held(view.fragment->operand, view.fragment->element);
  ASSERT_EQ(warpsOf(held), 4);
  const auto picture = fragmentPicture(held, view.fragment->operand, 2);
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->rows, 16);
  EXPECT_EQ(picture->columns, 8);
  EXPECT_EQ(picture->firstRow, 32);
  // PTX ISA, "Register Fragments and Shared Memory Matrix Layouts" of wgmma m64nNk16, D: lane 5 of warp 2 has row 32 +
  // 1, columns 2 and 3, and the same eight rows below.
  const FragmentPicture::Cell& cell = picture->at(0, 1, 3);
  EXPECT_EQ(cell.lane, 5);
  EXPECT_EQ(cell.number, 1);
  EXPECT_EQ(picture->at(0, 9, 2).lane, 5);
  EXPECT_EQ(picture->at(0, 9, 2).number, 2);
  EXPECT_EQ(picture->elementText(1, 3), "C[33, 3]");
  EXPECT_EQ(picture->heldBy(5).front().elements, "C[33, 2]");
}

// Two blocks need the same rows of the first factor: each asks for half of them, and both get all.
TEST(ClusterBinding, BlocksSayWhoAsksForWhichPartAndWhoGetsIt) {
  const ThreadBinding binding(std::make_shared<const device::Program>(warpgroupKernel(true, 1, 2).program.value()));
  const device::Kernel& kernel = binding.kernel();
  ASSERT_EQ(kernel.grid, (std::array<std::int64_t, 3>{2, 2, 1}));
  const Arrangement& blocks = binding.blocks();
  EXPECT_TRUE(blocks.areGrouped(2, 3));
  EXPECT_FALSE(blocks.areGrouped(1, 2)) << "of the next row";
  EXPECT_FALSE(binding.warps().areGrouped(0, 1));
  int asked = 0;
  for (std::size_t i = 0; i < binding.accesses().accesses.size(); ++i) {
    const model::Access& access = binding.accesses().accesses[i];
    if (access.agent != device::Agent::CopyEngine) continue;
    BindingChoice choice;
    choice.access = int(i);
    choice.block = 3;
    const auto cluster = binding.view(choice).cluster;
    const bool first = access.buffer->name.starts_with("X");
    EXPECT_EQ(cluster.has_value(), first) << access.buffer->name;
    if (!cluster) continue;
    ++asked;
    EXPECT_EQ(cluster->blocks, (std::vector<std::int64_t>{2, 3}));
    ASSERT_EQ(cluster->parts.size(), 2U);
    EXPECT_EQ(cluster->parts[0].rows, 32);
    EXPECT_EQ(cluster->parts[1].row - cluster->parts[0].row, 32) << "the second block asks for the rows below";
    for (const model::ClusterPart& p : cluster->parts) EXPECT_EQ(p.receivers, 3U) << "both get it";
  }
  EXPECT_EQ(asked, 2) << "what is read, and what is written";
}

// Of two slices of k each block of a cluster has a part of the sum in its shared memory, and reads both.
TEST(ClusterBinding, BlocksSayWhoseSlicesTheyRead) {
  const auto program = std::make_shared<const device::Program>(model::lowered(
      tests::programText("product", {{"M", 128}, {"N", 64}, {"K", 64}}), tests::scheduleText("cluster_slices")));
  const ThreadBinding binding(program);
  ASSERT_EQ(binding.kernel().cluster, (std::array<std::int64_t, 3>{1, 1, 2}));
  EXPECT_TRUE(binding.blocks().areGrouped(0, 2)) << "beside each other along z";
  EXPECT_FALSE(binding.blocks().areGrouped(0, 1));
  int read = 0;
  for (std::size_t i = 0; i < binding.accesses().accesses.size(); ++i) {
    if (!binding.accesses().accesses[i].inBlock || binding.accesses().accesses[i].write) continue;
    BindingChoice choice;
    choice.access = int(i);
    choice.block = 2;
    const auto cluster = binding.view(choice).cluster;
    ASSERT_TRUE(cluster);
    EXPECT_TRUE(cluster->slices);
    EXPECT_EQ(cluster->blocks, (std::vector<std::int64_t>{0, 2}));
    for (const model::ClusterPart& p : cluster->parts) EXPECT_EQ(p.receivers, 3U) << "both read it";
    ++read;
  }
  EXPECT_GE(read, 1);
}

// Blocks along z too, of a kernel that has no copies of its own for that: numbers and clusters count x first.
TEST(ClusterBinding, WavesAreOfWholeClusters) {
  const model::Device h200 = model::deviceNamed("h200");
  auto program = std::make_shared<device::Program>(warpgroupKernel(true, 1, 2).program.value());
  device::Kernel& k = program->kernels.front();
  k.grid = {2, 2, 40};
  k.cluster = {2, 1, 4};
  const ThreadBinding binding(program);
  EXPECT_TRUE(binding.blocks().areGrouped(0, 12)) << "3 along z";
  EXPECT_FALSE(binding.blocks().areGrouped(0, 16)) << "4 along z";
  model::Occupancy one;
  one.blocks = 1;
  const auto waves = blockWaves(binding, one, h200);
  ASSERT_TRUE(waves);
  EXPECT_EQ(waves->clusters.size, 8);
  EXPECT_EQ(waves->slots, 15 * 8);
  EXPECT_EQ(waves->count(), 2);
  EXPECT_EQ(waves->waveOf(0), 0);
  EXPECT_EQ(waves->waveOf(12), 0) << "in one cluster with block 0";
  EXPECT_EQ(waves->waveOf(159), 1);
}

TEST(WarpgroupBinding, ASumIsItsWarpgroupsHoweverManyWarpsTheBlockHas) {
  const ThreadBinding binding(programOf(true, 2));
  EXPECT_EQ(binding.warpCount(), 12);
  EXPECT_EQ(binding.warps().columns, 4) << "a warpgroup a row";
  EXPECT_EQ(viewOf(binding, accessOfProduct(binding, 0)).blockElements, 2) << "of the two that multiply";
}

TEST(WarpgroupBinding, AFactorIsReadByADescriptor) {
  const ThreadBinding binding(programOf(false));
  for (int operand : {1, 2}) {
    const BindingView view = viewOf(binding, accessOfProduct(binding, operand));
    ASSERT_TRUE(view.lines) << operand;
    EXPECT_FALSE(view.request) << "no lane asks for anything";
    const SharedLines& lines = *view.lines;
    EXPECT_EQ(lines.agent, device::Agent::TensorCore);
    EXPECT_EQ(lines.span, 128);
    EXPECT_EQ(lines.group, 8 * 128);
    EXPECT_EQ(lines.slab, 0) << "32 bytes of a line of 128";
    EXPECT_EQ(lines.lines, 64);
    EXPECT_EQ(lines.lineBytes, 16 * 2);
    EXPECT_EQ(lines.ways, 1);
    EXPECT_EQ(lines.plainWays, 8) << "lines of 128 bytes begin in the same bank";
  }
}

// Of line r the piece p lies where p xor r says; two pieces of each line are the tile's.
TEST(WarpgroupBinding, SwizzledLinesSpreadOverTheBanks) {
  const ThreadBinding binding(programOf(false));
  BindingChoice choice;
  choice.access = accessOfProduct(binding, 1);
  const model::Access& access = binding.accesses().accesses[std::size_t(choice.access)];
  // The loop over the groups of 16 of a turn's 64; the copies of it behind the pipeline's have the same variable.
  const int inner = access.loops.back();
  for (const auto& [group, from] : {std::pair{0, 0}, {3, 6}}) {
    choice.loops[inner] = group;
    const SharedLines lines = binding.view(choice).lines.value();
    EXPECT_EQ(lines.start % 128, from * 16) << "16 of k further";
    int used = 0;
    for (int row = 0; row < SharedLines::kRows; ++row) {
      std::set<int> numbers;
      for (int k = 0; k < SharedLines::kAcross; ++k) {
        const SharedLines::Piece& piece = lines.pieces[std::size_t(row * SharedLines::kAcross + k)];
        EXPECT_EQ(piece.line, row);
        EXPECT_EQ(piece.number, k ^ row);
        EXPECT_EQ(piece.used, piece.number == from || piece.number == from + 1);
        numbers.insert(piece.number);
        used += piece.used;
      }
      EXPECT_EQ(numbers.size(), 8U);
    }
    EXPECT_EQ(used, 16);
  }
}

TEST(WarpgroupBinding, ABoxIsNobodysRequest) {
  const ThreadBinding binding(programOf(true));
  const auto& all = binding.accesses().accesses;
  int boxes = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].agent != device::Agent::CopyEngine) continue;
    ++boxes;
    BindingChoice choice;
    choice.access = int(i);
    EXPECT_EQ(binding.view(choice).active, 0U) << "the first warp multiplies";
    const BindingChoice taking = binding.takingPart(choice);
    EXPECT_EQ(taking.thread / 32, 4) << "the warp that asks";
    const BindingView view = binding.view(taking);
    EXPECT_NE(view.active, 0U);
    EXPECT_FALSE(view.request);
    EXPECT_EQ(view.lines.has_value(), model::isShared(all[i].memory));
    EXPECT_EQ(binding.takingPart(taking).thread, taking.thread) << "who takes part stays chosen";
  }
  EXPECT_EQ(boxes, 4) << "of each factor what is read and what is written";
}

}  // namespace
}  // namespace loom::session::thread_binding_warpgroup_view_test
