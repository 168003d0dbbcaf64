#include "app/panels/thread_binding/view/accesses.h"

#include <gmock/gmock.h>

#include "app/panels/thread_binding/view/statement.h"
#include "app/panels/thread_binding/view/waves.h"
#include "tests/model/programs.h"

namespace loom::session::thread_binding_view_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::shared_ptr<const device::Program> tensorCore(const std::string& more = "") {
  return std::make_shared<device::Program>(model::tensorCore(more));
}

BindingChoice choose(const ThreadBinding& binding, const std::string& buffer, bool write) {
  BindingChoice choice;
  const auto& all = binding.accesses().accesses;
  while (all[std::size_t(choice.access)].buffer->name != buffer || all[std::size_t(choice.access)].write != write) {
    ++choice.access;
  }
  return choice;
}

TEST(ThreadBinding, BlocksAndWarpsLieWhereTheirResultLies) {
  const ThreadBinding binding(tensorCore());
  EXPECT_TRUE(binding.blocks().byResult);
  EXPECT_EQ(binding.blocks().columns, 8);
  EXPECT_EQ(binding.blocks().rows, 8);
  EXPECT_EQ(binding.blocks().numberAt(19), 19);
  EXPECT_TRUE(binding.warps().byResult);
  EXPECT_EQ(binding.warps().columns, 4);
  EXPECT_EQ(binding.warps().rows, 4);
  EXPECT_EQ(binding.warps().cellOf(6), 6);
}

// Before its intrinsics: a fragment's elements are the tile that a warp takes from shared memory, one lane for it.
TEST(ThreadBinding, AFragmentWithoutIntrinsicsIsDrawnByElements) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const std::string all = model::readText(path + ".sched.py");
  const auto last = model::replayed(model::readText(path + ".func.py"), all.substr(0, all.find("sch.tensorize"))).last;
  auto program = lower::draft(last.module().functions.front());
  ASSERT_TRUE(program) << program.error().message.english();
  const ThreadBinding binding(std::make_shared<device::Program>(std::move(*program)));
  const BindingView view = binding.view(choose(binding, "X_shared_wmma.matrix_a", true));
  EXPECT_FALSE(view.shape.fragments);
  EXPECT_EQ(view.shape.rows * view.shape.columns, 32 * 32);
  EXPECT_EQ(view.warpElements, 32 * 32);
  EXPECT_EQ(view.active, 1U);
}

TEST(ThreadBinding, ABlocksPartOfAnOperandIsItsRows) {
  const ThreadBinding binding(tensorCore());
  BindingChoice choice = choose(binding, "X", false);
  choice.block = 19;
  const BindingView view = binding.view(choice);
  EXPECT_EQ(view.shape.rows, 1024);
  EXPECT_EQ(view.blockElements, 128 * 1024) << "rows 256 to 383, all of K";
  EXPECT_EQ(view.touched.rows, 64);
  EXPECT_EQ(view.touched.levels[15 * 64], TouchedPicture::kNone);
  EXPECT_NE(view.touched.levels[16 * 64], TouchedPicture::kNone);
  EXPECT_NE(view.touched.levels[23 * 64 + 63], TouchedPicture::kNone);
  EXPECT_EQ(view.touched.levels[24 * 64], TouchedPicture::kNone);
}

TEST(ThreadBinding, AWarpsLoadOfSixteenBytesALaneIsFourWholeLines) {
  const ThreadBinding binding(tensorCore());
  BindingChoice choice = choose(binding, "X", false);
  choice.block = 19;
  choice.thread = 6 * 32 + 9;
  const BindingView view = binding.view(choice);
  ASSERT_TRUE(view.request);
  EXPECT_THAT(view.request->lines, SizeIs(4));
  EXPECT_EQ(view.request->sectors, 16);
  EXPECT_EQ(view.request->needed, 16);
  EXPECT_DOUBLE_EQ(view.request->usedShare(), 1);
  EXPECT_THAT(view.request->lines[1].sectors[0], ElementsAre(8, 9));
  ASSERT_TRUE(view.lanes);
  EXPECT_THAT(view.lanes->rows, ElementsAre(280, 281, 282, 283));
  EXPECT_THAT(view.lanes->columns, ElementsAre(0, 8, 16, 24, 32, 40, 48, 56));
  EXPECT_THAT(view.lanes->lanes[9], ElementsAre(9));
  EXPECT_EQ(binding.laneText(choice), "X[281, 8:16]");
}

// 32 × 32 sums of a warp are four fragments of 16 × 16, all filled; their elements are in the lanes' registers.
TEST(ThreadBinding, AFragmentBufferIsTouchedByFragments) {
  const ThreadBinding binding(tensorCore());
  const BindingChoice choice = choose(binding, "Z_wmma.accumulator", true);
  const BindingView view = binding.view(choice);
  EXPECT_FALSE(view.unknown);
  EXPECT_TRUE(view.shape.fragments);
  EXPECT_EQ(view.shape.rows, 1);
  EXPECT_EQ(view.shape.columns, 4);
  EXPECT_EQ(view.warpElements, 4);
  const auto owners = binding.owners(choice, 0, 3);
  ASSERT_TRUE(owners);
  EXPECT_TRUE(view.fragment) << "lane by lane below";
}

// What lanes hold for mma.sync is each lane's own array, and a part of a tile that the PTX ISA says.
TEST(ThreadBinding, WhatLanesHoldOfAProductIsDrawnByThePtxIsasTables) {
  const std::string path = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const ThreadBinding binding(std::make_shared<device::Program>(
      model::lowered(model::readText(path + ".func.py"), model::readText(path + ".sched.py"))));
  const std::pair<const char*, layout::Operand> all[] = {{"A_warp", layout::Operand::A},
                                                         {"B_warp", layout::Operand::B}};
  for (const auto& [buffer, operand] : all) {
    for (const bool write : {false, true}) {
      const BindingView view = binding.view(choose(binding, buffer, write));
      ASSERT_TRUE(view.fragment) << buffer;
      EXPECT_EQ(view.fragment->operand, operand);
      EXPECT_EQ(view.fragment->k, 16);
      ASSERT_TRUE(view.fragment->held);
      EXPECT_EQ(view.fragment->held(operand, view.fragment->element), layout::mmaM16N8K16(operand));
    }
  }
  const BindingView loaded = binding.view(choose(binding, "A_shared", false));
  ASSERT_TRUE(loaded.fragment) << "the operand at the other end";
  EXPECT_TRUE(loaded.lanes) << "each lane gives a row's address";
  ASSERT_TRUE(loaded.request);
  EXPECT_EQ(loaded.request->shared.ways, 4);
}

TEST(ThreadBinding, PaddingTakesTheConflictsOfAFragmentLoadAway) {
  const ThreadBinding plain(tensorCore());
  const BindingView before = plain.view(choose(plain, "X_shared", false));
  ASSERT_TRUE(before.request);
  EXPECT_EQ(before.request->shared.ways, 8);
  EXPECT_EQ(before.shape.pitch, 64);
  EXPECT_TRUE(before.fragment) << "a wmma tile shows its lanes";
  EXPECT_FALSE(before.lanes);

  ASSERT_TRUE(before.padded) << "what padding would do is told beforehand";
  EXPECT_EQ(before.padded->padding.pitch, 64);
  EXPECT_EQ(before.padded->padding.padded, 72);
  EXPECT_EQ(before.padded->request.shared.ways, 1);
  EXPECT_EQ(before.padded->padding.step,
            "sch.storage_align(block=\"X_shared\", buffer_index=0, axis=-2, factor=16, offset=8)");

  const ThreadBinding padded(
      tensorCore("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=16, offset=8)\n"));
  const BindingView after = padded.view(choose(padded, "X_shared", false));
  ASSERT_TRUE(after.request);
  EXPECT_EQ(after.request->shared.ways, 1);
  EXPECT_EQ(after.shape.pitch, 72);
  EXPECT_FALSE(after.padded);
  EXPECT_EQ(after.request->shared.wavefronts, before.padded->request.shared.wavefronts);
  EXPECT_EQ(after.shape.columns, 64) << "padding is no column";
}

TEST(BlockWaves, ALessonsGridIsHalfAWaveThatReadsAllOfBothOperandsOnce) {
  const ThreadBinding binding(tensorCore());
  model::Occupancy occupancy;
  occupancy.blocks = 2;
  const auto waves = blockWaves(binding, occupancy, model::deviceNamed("h200"));
  ASSERT_TRUE(waves) << waves.error().message.english();
  EXPECT_EQ(waves->slots, 264);
  EXPECT_EQ(waves->count(), 1);
  EXPECT_EQ(waves->last(), 64);
  EXPECT_EQ(waves->onMultiprocessor(63, false), 1) << "each in turn gets one";
  EXPECT_EQ(waves->onMultiprocessor(64, false), 0);
  ASSERT_THAT(waves->reads, SizeIs(2));
  EXPECT_EQ(waves->reads[0].distinct, 1024 * 1024 * 2);
  EXPECT_EQ(waves->reads[0].asked, 8.0 * 1024 * 1024 * 2) << "eight blocks in a row read the same rows";
  ASSERT_TRUE(waves->l2);
  EXPECT_LT(waves->distinct, *waves->l2);
}

TEST(BlockWaves, TheLastWaveIsWhatIsLeft) {
  const ThreadBinding binding(tensorCore());
  model::Device small = model::deviceNamed("t4");
  small.figures[model::Quantity::Multiprocessors].value = 5;
  model::Occupancy occupancy;
  occupancy.blocks = 2;
  const auto waves = blockWaves(binding, occupancy, small);
  ASSERT_TRUE(waves) << waves.error().message.english();
  EXPECT_EQ(waves->count(), 7);
  EXPECT_EQ(waves->last(), 4);
  EXPECT_EQ(waves->onMultiprocessor(4, false), 2);
  EXPECT_EQ(waves->onMultiprocessor(3, true), 1);
  EXPECT_EQ(waves->onMultiprocessor(4, true), 0);
  EXPECT_EQ(waves->waveOf(9), 0);
  EXPECT_EQ(waves->waveOf(10), 1);
  // Blocks 0 to 9: rows of tiles 0 and 1, all eight columns of the first and two of the second.
  EXPECT_EQ(waves->reads[0].distinct, 2 * 128 * 1024 * 2);
  EXPECT_EQ(waves->reads[1].distinct, 1024 * 1024 * 2);
}

TEST(BlockWaves, WithoutFiguresOrRoomThereAreNone) {
  const ThreadBinding binding(tensorCore());
  model::Occupancy none;
  const auto full = blockWaves(binding, none, model::deviceNamed("h200"));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().code, "TooLarge");
  model::Occupancy two;
  two.blocks = 2;
  const auto unknown = blockWaves(binding, two, model::Device{});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, "UnknownFigure");
}

TEST(ThreadBinding, AnElementOfAnOperandHasEightBlocks) {
  const ThreadBinding binding(tensorCore());
  auto owners = binding.owners(choose(binding, "X", false), 256, 3);
  ASSERT_TRUE(owners) << owners.error().message.english();
  EXPECT_THAT(owners->all, SizeIs(8));
  EXPECT_EQ(owners->blocks, 8);
}

TEST(ThreadBinding, OwnersAreMarkedAmongBlocksWarpsAndLanes) {
  BoundStatement shown;
  shown.binding = std::make_shared<const ThreadBinding>(tensorCore());
  shown.choice = choose(*shown.binding, "X", false);
  shown.choice.block = 17;
  shown.choice.thread = 6 * 32;
  shown.element = elementFrom(
      "[281, 9]", shown.binding->rowsOf(shown.binding->accesses().accesses[std::size_t(shown.choice.access)]));
  ASSERT_TRUE(shown.element);
  shown.work();
  EXPECT_THAT(shown.marks.blocks, ElementsAre(16, 17, 18, 19, 20, 21, 22, 23));
  EXPECT_THAT(shown.marks.warps, ElementsAre(6));
  EXPECT_EQ(shown.marks.lanes, 1U << 9);
  shown.choice.block = 3;
  shown.work();
  EXPECT_THAT(shown.marks.warps, SizeIs(0)) << "nobody of this block";
}

TEST(ThreadBinding, AnElementIsWrittenAsTwoNumbersOfTheBuffers) {
  BufferRows shape;
  shape.rows = 128;
  shape.columns = 64;
  EXPECT_EQ(elementFrom("[5, 63]", shape), (BoundStatement::Element{5, 63}));
  EXPECT_EQ(elementFrom("127 0", shape), (BoundStatement::Element{127, 0}));
  for (const char* wrong : {"", "5", "5, 64", "128, 0", "1, 2, 3", "-1, 2", "a, b", "99999999999999999999, 1"})
    EXPECT_FALSE(elementFrom(wrong, shape)) << wrong;
}

TEST(ThreadBinding, ARequestIsToldWavefrontByWavefront) {
  const ThreadBinding binding(tensorCore());
  const BindingView view = binding.view(choose(binding, "X_shared", false));
  ASSERT_TRUE(view.request);
  EXPECT_TRUE(view.request->ldmatrix);
  ASSERT_THAT(view.request->wavefronts, SizeIs(view.request->shared.wavefronts));
  EXPECT_EQ(view.request->wavefronts[3].lanes, 1U << 3) << "one row at a time";
  EXPECT_EQ(view.request->wavefronts[3].banks, 0xfU);
  ASSERT_TRUE(view.padded);
  EXPECT_EQ(view.padded->request.wavefronts[0].lanes, 0xffU) << "eight rows at once";
}

TEST(ThreadBinding, AStrideOfAWholeRowTakesASectorALane) {
  const ThreadBinding binding(std::make_shared<device::Program>(model::copy(32, 1, "float32")));
  const BindingView view = binding.view(choose(binding, "A", false));
  ASSERT_TRUE(view.request);
  EXPECT_EQ(view.request->sectors, 32);
  EXPECT_EQ(view.request->needed, 4);
  EXPECT_EQ(view.request->used, 128);
  EXPECT_DOUBLE_EQ(view.request->usedShare(), 0.125) << "4 of 32 bytes of each";
}

TEST(ThreadBinding, WhereAWarpAsksForNothingItIsSaidWhy) {
  const ThreadBinding product(tensorCore());
  const auto why = [](const ThreadBinding& binding, const char* buffer, bool write, int warp = 0) {
    BindingChoice choice = choose(binding, buffer, write);
    choice.thread = warp * 32;
    const BindingView view = binding.view(choice);
    EXPECT_NE(view.request.has_value(), view.noRequest.has_value()) << buffer;
    return view.noRequest;
  };
  EXPECT_EQ(why(product, "X", false), std::nullopt);
  EXPECT_EQ(why(product, "X_shared_wmma.matrix_a", true), NoRequest::kFragment);
  // 40 iterations of 64 threads: the second warp has eight, and of 16 it has none.
  const auto copyOf = [](int size) {
    return std::make_shared<device::Program>(
        model::lowered(tests::programText("vector_copy", {{"N", size}, {"TYPE", "float32"}}),
                       tests::scheduleText("blocks_of_threads", {{"THREADS", 64}})));
  };
  EXPECT_EQ(why(ThreadBinding(copyOf(40)), "A", false, 1), std::nullopt);
  EXPECT_EQ(why(ThreadBinding(copyOf(16)), "A", false, 1), NoRequest::kIdle) << "global memory is no thread's own";
  const ThreadBinding gather(std::make_shared<device::Program>(model::lowered(
      tests::programText("gather", {{"N", 64}}), tests::scheduleText("threads_of_one_axis", {{"BLOCK", "B"}}))));
  EXPECT_EQ(why(gather, "I", false), std::nullopt);
  EXPECT_EQ(why(gather, "A", false), NoRequest::kUnknown) << "its index is in memory";
  const ThreadBinding staged(std::make_shared<device::Program>(
      model::lowered(model::readText("tests/oracle/cases/lessons/fp32_v4_registers.func.py"),
                     model::readText("tests/oracle/cases/lessons/fp32_v4_registers.sched.py"))));
  EXPECT_EQ(why(staged, "C_local", true), NoRequest::kOwn);
}

TEST(ThreadBinding, ChoicesOutsideTheKernelAreBroughtIn) {
  const ThreadBinding binding(tensorCore());
  BindingChoice wild;
  wild.block = 1 << 20;
  wild.thread = -3;
  wild.access = 999;
  wild.loops[0] = 1 << 20;
  wild.loops[9999] = 4;
  const BindingChoice tame = binding.clamped(wild);
  EXPECT_EQ(tame.block, 63);
  EXPECT_EQ(tame.thread, 0);
  EXPECT_LT(tame.access, int(binding.accesses().accesses.size()));
  for (const auto& [loop, value] : tame.loops) {
    EXPECT_LT(value, binding.accesses().loops[std::size_t(loop)].extent);
  }
  binding.view(tame);
}

TEST(ThreadBinding, OneThreadIsAGridOfOne) {
  auto program = std::make_shared<device::Program>(
      model::lowered(model::readText("tests/oracle/cases/lessons/fp32_naive.func.py"), ""));
  const ThreadBinding binding(program);
  EXPECT_EQ(binding.blocks().columns * binding.blocks().rows, 1);
  EXPECT_EQ(binding.warpCount(), 1);
  const BindingView view = binding.view({});
  EXPECT_EQ(view.active, 1U) << "31 lanes of the warp are no threads";
}

}  // namespace
}  // namespace loom::session::thread_binding_view_test
