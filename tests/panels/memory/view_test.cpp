#include "app/panels/memory/view/change.h"
#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/performance.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "app/panels/memory/view/compiled_traffic.h"
#include "app/session/state_model.h"
#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"
#include "tests/panels/reused_kernel.h"
#include "tests/panels/warpgroup_kernel.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::memory_view_test {
namespace {

using L = MemoryLevel;
constexpr int kFragmentsUnfilled =
    43;  // lines: fragments are declared where they will be filled, no intrinsic fills them
constexpr int kSharedByKernels = 37;  // lines: the accumulator is read by a second kernel
constexpr double kKi = 1024, kMi = 1024 * 1024;

// The first `lines` lines of the lesson's schedule, and `more`.
document::KernelText tensorCore(int lines = -1, const std::string& more = "") {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  const std::string all = model::readText(path + ".sched.py");
  std::size_t end = 0;
  for (int i = 0; i < lines && end != std::string::npos; ++i) end = all.find('\n', end + 1);
  const auto replay = model::replayed(model::readText(path + ".func.py"), lines < 0 ? all : all.substr(0, end) + "\n");
  if (more.empty()) return document::makeKernel(replay.last);
  return document::makeKernel(model::replayed(model::readText(path + ".func.py"), all + more).last);
}

MemoryView view(const document::KernelText& text) {
  static const model::Device h200 = model::deviceNamed("h200");
  return memoryOf(stateModelOf(text, {&h200}));
}

TEST(MemoryView, TheLastStateOfTheLesson) {
  const auto text = tensorCore();
  const MemoryView v = view(text);
  ASSERT_TRUE(v.kernel) << v.problem;
  EXPECT_EQ(v.blocks, 64);
  const MemoryBuffer* x = v.find("X_shared", L::kShared);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->bytes, 16 * kKi);
  EXPECT_EQ(x->column, 0);
  EXPECT_EQ(x->lives, 16);
  EXPECT_EQ(x->life, "k_0_0");
  EXPECT_EQ(x->ways, 8);
  EXPECT_FALSE(x->ids.empty());
  EXPECT_EQ(x->declaredBytes, 2 * kMi);
  ASSERT_NE(v.find("Y_shared", L::kShared), nullptr);
  EXPECT_EQ(v.find("Y_shared", L::kShared)->column, 1);
  const MemoryTraffic* load = v.find(L::kL2, L::kShared, 0);
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->perBlock, 256 * kKi);
  EXPECT_EQ(load->bytes, 16 * kMi);
  ASSERT_NE(v.find(L::kGlobal, L::kL2, 0), nullptr);
  EXPECT_EQ(v.find(L::kGlobal, L::kL2, 0)->bytes, 2 * kMi);
  ASSERT_NE(v.find(L::kShared, L::kRegisters, 0), nullptr);
  EXPECT_EQ(v.find(L::kShared, L::kRegisters, 0)->perBlock, kMi) << "read by 4 warps";
  const MemoryTraffic* store = v.find(L::kRegisters, L::kL2, 2);
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->perBlock, 64 * kKi);
  EXPECT_EQ(v.find(L::kRegisters, L::kGlobal, 2), nullptr) << "link by link, as loads";
  ASSERT_NE(v.find(L::kL2, L::kGlobal, 2), nullptr);
  EXPECT_EQ(v.find(L::kL2, L::kGlobal, 2)->bytes, 4 * kMi);
  ASSERT_NE(v.find(L::kRegisters, L::kTensorCore, 0), nullptr);
  EXPECT_EQ(v.find(L::kRegisters, L::kTensorCore, 0)->perBlock, 2 * kMi);
  EXPECT_EQ(v.tiles, 4096);
}

TEST(MemoryView, BudgetsSayWhatFitsAndWhatRuns) {
  const model::Device h200 = model::deviceNamed("h200");
  const StateModel model = stateModelOf(tensorCore(), {&h200});
  const MemoryView& v = memoryOf(model);
  ASSERT_EQ(v.budgets.size(), 4U);
  EXPECT_EQ(v.budgets[0].taken, 33 * kKi) << "with the system's reserve";
  EXPECT_EQ(v.budgets[0].reserved, kKi);
  EXPECT_EQ(v.budgets[0].fits, 6);
  EXPECT_EQ(v.budgets[1].fits, -1) << "registers are the compiler's to tell";
  EXPECT_EQ(v.budgets[2].fits, 4);
  EXPECT_EQ(v.blocksRun, 1) << "64 blocks on 132 multiprocessors, whatever fits";
  EXPECT_EQ(v.idle, 68);
  EXPECT_FALSE(v.floors.empty());
  for (const MemoryTimeBound& f : v.floors) EXPECT_FALSE(f.device.source.empty()) << f.roof;
  const auto conflict = std::find_if(model.advice.begin(), model.advice.end(),
                                     [](const model::Advice& a) { return a.code == "bank_conflicts"; });
  ASSERT_NE(conflict, model.advice.end());
  EXPECT_NE(conflict->step.find("storage_align"), std::string::npos);
}

// What boxes bring counts as L2 delivers it: blocks that ask for the same at a time are served together. Only what
// threads read could come less often.
TEST(MemoryView, WhatBoxesBringIsNoMatterOfOnceABlock) {
  const MemoryView boxes = view(warpgroupKernel(true, 2));
  EXPECT_TRUE(boxes.readsBoxes());
  int told = 0;
  for (const MemoryTimeBound& f : boxes.floors) {
    if (f.once <= 0) continue;
    EXPECT_NEAR(f.bytes, f.once, 0.005 * f.once);
    ++told;
  }
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(view(tensorCore()).readsBoxes());
}

TEST(MemoryView, SaysWhichBuffersShareBytes) {
  const MemoryView v = view(reusedKernel());
  ASSERT_EQ(v.sharing.size(), 1U);
  EXPECT_THAT(v.sharing[0].buffers, testing::UnorderedElementsAre("S", "U"));
  EXPECT_EQ(v.sharing[0].bytes, 2 * kKi);
  EXPECT_EQ(v.sharedBytes, 2.5 * kKi);
  EXPECT_EQ(v.budgets[0].taken - v.budgets[0].reserved, v.sharedBytes);
  EXPECT_EQ(v.find("S", L::kShared)->sharing, std::vector<std::string>{"U"});
  EXPECT_EQ(v.find("U", L::kShared)->sharing, std::vector<std::string>{"S"});
  EXPECT_TRUE(v.find("R", L::kShared)->sharing.empty());
  EXPECT_TRUE(view(tensorCore()).sharing.empty());
}

// Filled by its copy, read by the loads of fragments; both tiles wait for the barrier between.
TEST(MemoryView, BuffersLiveFromTheirFirstUseToTheirLast) {
  const auto text = tensorCore();
  const MemoryView v = view(text);
  const model::KernelAccesses all = model::accessesOf(text.program->kernels.front());
  const auto count = double(all.accesses.size());
  for (const char* name : {"X_shared", "Y_shared"}) {
    const MemoryBuffer& shared = *v.find(name, L::kShared);
    std::vector<std::size_t> uses;
    for (std::size_t i = 0; i < all.accesses.size(); ++i)
      if (all.accesses[i].buffer->name == name) uses.push_back(i);
    ASSERT_EQ(uses.size(), 2u);
    EXPECT_EQ(shared.begins, double(uses[0]) / count);
    EXPECT_EQ(shared.ends, double(uses[1] + 1) / count);
    EXPECT_TRUE(std::ranges::any_of(v.barriersAt, [&](double b) { return shared.begins < b && b < shared.ends; }));
  }
  const MemoryBuffer& sums = *v.find("Z_wmma.accumulator", L::kRegisters);
  EXPECT_EQ(sums.begins, 0) << "its start value is the first statement";
  EXPECT_EQ(sums.ends, (count - 1) / count) << "the last writes it to Z";
  EXPECT_LT(v.find("X_shared_wmma.matrix_a", L::kRegisters)->ends, sums.ends);
  EXPECT_EQ(v.find("X", L::kGlobal)->ends, 0) << "a parameter outlives the kernel";
  for (const double barrier : v.barriersAt) EXPECT_TRUE(0 < barrier && barrier < 1);
}

// The copy engine brings boxes past registers, tensor cores read factors where they landed; registers hold sums alone.
TEST(MemoryView, FactorsOfWarpgroupsNeverPassRegisters) {
  const MemoryView v = view(warpgroupKernel(true));
  ASSERT_TRUE(v.kernel) << v.problem;
  for (int factor : {0, 1}) {
    const MemoryTraffic *brought = v.find(L::kL2, L::kShared, factor),
                        *read = v.find(L::kShared, L::kTensorCore, factor);
    ASSERT_TRUE(brought && read) << factor;
    EXPECT_EQ(brought->agent, device::Agent::CopyEngine);
    EXPECT_FALSE(brought->throughRegisters);
    EXPECT_EQ(brought->by, std::vector<std::string>{"tma.load"});
    EXPECT_EQ(brought->perBlock, 64 * 256 * 2) << "64 rows or columns along all of k";
    EXPECT_EQ(read->agent, device::Agent::TensorCore);
    EXPECT_EQ(read->perBlock, brought->perBlock) << "each tile is multiplied once";
    for (const MemoryTraffic& t : v.traffic) {
      const bool registers = t.from == L::kRegisters || t.to == L::kRegisters;
      EXPECT_FALSE(t.column == factor && registers) << int(t.from) << " → " << int(t.to);
    }
  }
  EXPECT_EQ(v.tiles, 256 / 16) << "products of the warpgroup, not of each of its warps";
  EXPECT_EQ(v.find(L::kRegisters, L::kTensorCore, 2)->perBlock, 16.0 * 64 * 64 * 4);
  EXPECT_EQ(v.find(L::kTensorCore, L::kRegisters, 2)->perBlock, 16.0 * 64 * 64 * 4);
}

TEST(MemoryView, TheSumLiesInTheRegistersOfTheWarpgroupThatMultiplies) {
  for (bool loaders : {false, true}) {
    const MemoryView v = view(warpgroupKernel(loaders, 2));
    const auto sum = std::ranges::find_if(v.buffers, [](const MemoryBuffer& b) { return b.fragment; });
    ASSERT_NE(sum, v.buffers.end());
    EXPECT_EQ(v.threads, loaders ? 3 * 128 : 2 * 128);
    EXPECT_EQ(sum->bytes, 2.0 * 64 * 64 * 4) << "of two warpgroups, whoever loads";
    EXPECT_EQ(sum->perThread, 64 * 64 * 4 / 4.0) << "of each of four warps";
  }
}

TEST(MemoryView, MbarriersSayWhatLandsAndWhoWaits) {
  const MemoryView v = view(warpgroupKernel(true));
  ASSERT_EQ(v.mbarriers.size(), 2U);
  const MemoryMbarrier &full = v.mbarriers[0], &empty = v.mbarriers[1];
  EXPECT_EQ(full.slots, 3);
  EXPECT_EQ(full.arrivals, 1);
  EXPECT_EQ(full.bytes, 2 * 64 * 64 * 2) << "both tiles of a turn";
  EXPECT_EQ(full.filled.size(), 2U);
  EXPECT_EQ(full.phases, 4) << "256 of k, 64 a turn";
  EXPECT_THAT(full.waiting, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(full.arriving, testing::ElementsAre(4));
  EXPECT_EQ(empty.bytes, 0);
  EXPECT_THAT(empty.waiting, testing::ElementsAre(4));
  EXPECT_THAT(empty.arriving, testing::ElementsAre(0, 1, 2, 3));
  const auto words = std::ranges::count_if(v.buffers, [](const MemoryBuffer& b) { return b.forSync; });
  EXPECT_EQ(words, 2);
  EXPECT_TRUE(view(tensorCore()).mbarriers.empty());
}

// Two blocks need the same rows of the first factor: each asks for half of them, and both get all.
TEST(MemoryView, BlocksOfAClusterBringEachOtherParts) {
  const MemoryView v = view(warpgroupKernel(true, 1, 2));
  ASSERT_TRUE(v.kernel) << v.problem;
  EXPECT_EQ(v.cluster, 2);
  const MemoryTraffic *shared = v.find(L::kL2, L::kShared, 0), *own = v.find(L::kL2, L::kShared, 1);
  ASSERT_TRUE(shared && own);
  EXPECT_EQ(shared->by, std::vector<std::string>{"tma.load.multicast"});
  EXPECT_EQ(shared->perBlock, 32 * 256 * 2) << "half of 64 rows along all of k";
  EXPECT_EQ(shared->byOthers, shared->perBlock);
  EXPECT_EQ(own->byOthers, 0);
  ASSERT_EQ(v.mbarriers.size(), 2U);
  const MemoryMbarrier &full = v.mbarriers[0], &empty = v.mbarriers[1];
  EXPECT_TRUE(full.fedByCluster);
  EXPECT_FALSE(full.ofCluster);
  EXPECT_EQ(full.phases, 4) << "as often as without clusters";
  EXPECT_TRUE(empty.ofCluster);
  EXPECT_EQ(empty.arrivals, 2) << "the readers of both blocks";
  EXPECT_FALSE(empty.fedByCluster);
  EXPECT_FALSE(view(warpgroupKernel(true)).mbarriers[1].ofCluster);
  EXPECT_EQ(v.barriers.used, 0) << "the cluster's barrier is none of the block's 16";
  EXPECT_EQ(v.barriers.ofCluster, 1) << "when mbarriers are made";
  EXPECT_EQ(view(warpgroupKernel(true)).barriers.ofCluster, 0);
}

// Each block of a cluster sums half of k, and reads both sums: one is the other block's.
TEST(MemoryView, BlocksThatStayDontAllHaveAsManyTiles) {
  const document::KernelText persistent = document::makeKernel(
      model::replayed(model::readText("assets/lessons/hopper/function.py"), model::linesTo("hopper", "persistent"))
          .last);
  const MemoryView v = view(persistent);
  EXPECT_EQ(v.leastTurns, 3);
  EXPECT_EQ(v.mostTurns, 4);
  EXPECT_EQ(view(tensorCore()).mostTurns, 0);
}

TEST(MemoryView, SlicesAreReadFromTheSharedMemoryOfOtherBlocks) {
  const MemoryView v =
      view(document::makeKernel(model::replayed(tests::programText("product", {{"M", 128}, {"N", 64}, {"K", 64}}),
                                                tests::scheduleText("cluster_slices"))
                                    .last));
  ASSERT_TRUE(v.kernel) << v.problem;
  EXPECT_EQ(v.cluster, 2);
  double all = 0, others = 0;
  for (const MemoryTraffic& t : v.traffic) {
    if (t.fromOthers <= 0) continue;
    EXPECT_EQ(t.from, L::kShared);
    all += t.perBlock, others += t.fromOthers;
  }
  EXPECT_EQ(others, 32 * 64 * 4) << "half of 64 × 64 of the other block's part";
  EXPECT_EQ(all, 2 * others);
}

TEST(MemoryView, BarriersAreThoseOfTheProgram) {
  const MemoryBarriers b = view(tensorCore()).barriers;
  EXPECT_EQ(b.used, 1) << "__syncthreads() is number 0, wherever it stands";
  EXPECT_EQ(b.written, 2);
  EXPECT_EQ(b.step, "k_0_0");
  EXPECT_EQ(b.perStep, 2) << "before the tiles are overwritten, and before they are read";
  EXPECT_EQ(b.perBlock, 2 * 16);
  EXPECT_FALSE(b.sometimes);
  const MemoryBarriers none = view(tensorCore(2)).barriers;
  EXPECT_EQ(none.used, 0);
  EXPECT_EQ(none.perStep, 0);
  EXPECT_TRUE(none.step.empty());
}

TEST(MemoryView, PaddingIsAllocatedAndTakesTheConflictAway) {
  const auto plain = view(tensorCore());
  const auto padded =
      view(tensorCore(-1, "sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=16, offset=8)\n"));
  const MemoryBuffer* x = padded.find("X_shared", L::kShared);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->bytes, 18 * kKi);
  EXPECT_EQ(x->ways, 1);
  const MemoryChange change = memoryChange(plain, padded);
  for (std::size_t i = 0; i < padded.buffers.size(); ++i)
    EXPECT_EQ(change.buffers[i], padded.buffers[i].name == "X_shared") << padded.buffers[i].name;
}

// As compiled a copy to shared memory passes registers, and HMMA takes its operand A twice for a tile of 16 × 16.
TEST(MemoryView, ArrowsOfTheMachineCode) {
  static const model::Device h200 = model::deviceNamed("h200");
  const auto text = tensorCore();
  const auto sass = sass::parse(model::readText("tests/model/profiled/tc_48.sass")).value().front();
  const auto model = model::modelOf(text.program->kernels.front(), h200, {nullptr, &sass, &text.source});
  const MemoryView written = memoryView(text, &h200, &model);
  EXPECT_NE(written.find(L::kL2, L::kShared, 0), nullptr);
  const MemoryView compiled = withCompiledTraffic(written);
  EXPECT_EQ(compiled.find(L::kL2, L::kShared, 0), nullptr);
  const MemoryTraffic* in = compiled.find(L::kL2, L::kRegisters, 0);
  const MemoryTraffic* put = compiled.find(L::kRegisters, L::kShared, 0);
  ASSERT_TRUE(in && put);
  EXPECT_EQ(in->perBlock, 256 * kKi);
  EXPECT_EQ(put->perBlock, 256 * kKi);
  EXPECT_EQ(in->widths, (std::map<int, double>{{16, 32768}}));
  EXPECT_FALSE(in->ids.empty());
  const MemoryTraffic* read = compiled.find(L::kShared, L::kRegisters, 0);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->bytes, written.find(L::kShared, L::kRegisters, 0)->bytes);
  EXPECT_EQ(read->moved, 8 * read->bytes) << "bank conflicts";
  EXPECT_EQ(compiled.find(L::kRegisters, L::kTensorCore, 0)->bytes,
            2 * written.find(L::kRegisters, L::kTensorCore, 0)->bytes);
  EXPECT_EQ(compiled.find(L::kGlobal, L::kL2, 0)->bytes, written.find(L::kGlobal, L::kL2, 0)->bytes);
  EXPECT_TRUE(view(text).compiledTraffic.empty()) << "without machine code there are none";
}

// What intrinsics will do is counted as the statements are written, once a warp: the traffic is that of the kernel.
TEST(MemoryView, WhatOnlyLacksItsIntrinsicsIsCountedAsWritten) {
  const auto text = tensorCore(kFragmentsUnfilled);
  const StateModel model = [&] {
    static const model::Device h200 = model::deviceNamed("h200");
    return stateModelOf(text, {&h200});
  }();
  const MemoryView& v = memoryOf(model);
  ASSERT_TRUE(text.problem);
  EXPECT_TRUE(v.kernel && v.draft);
  EXPECT_FALSE(v.problem.empty());
  const MemoryView after = view(tensorCore());
  EXPECT_FALSE(after.draft);
  for (const MemoryBuffer& b : after.buffers) {
    const MemoryBuffer* same = v.find(b.name, b.level);
    ASSERT_NE(same, nullptr) << b.name;
    EXPECT_EQ(same->bytes, b.bytes) << b.name;
    EXPECT_EQ(same->perThread, b.perThread) << b.name;
  }
  for (const MemoryTraffic& t : after.traffic) {
    if (t.from == L::kTensorCore || t.to == L::kTensorCore) continue;  // that unit comes with the intrinsic
    const MemoryTraffic* same = v.find(t.from, t.to, t.column);
    ASSERT_NE(same, nullptr) << int(t.from) << " to " << int(t.to);
    EXPECT_EQ(same->bytes, t.bytes) << int(t.from) << " to " << int(t.to);
  }
  ASSERT_FALSE(v.budgets.empty());
  EXPECT_TRUE(v.floors.empty()) << "what never runs takes no time";
  EXPECT_TRUE(model.advice.empty());
  EXPECT_FALSE(performanceOf(model).kernel);
  EXPECT_EQ(model.timeline(), nullptr);
}

// Two kernels would have to share the cache.
TEST(MemoryView, AStateThatIsNoKernelShowsItsDeclaredBuffersAndWhy) {
  const auto text = tensorCore(kSharedByKernels);
  const MemoryView v = view(text);
  ASSERT_TRUE(text.problem);
  EXPECT_FALSE(v.kernel);
  EXPECT_FALSE(v.draft);
  EXPECT_FALSE(v.problem.empty());
  EXPECT_NE(v.find("X", L::kGlobal), nullptr);
  const MemoryBuffer* x = v.find("X_shared", L::kShared);
  ASSERT_NE(x, nullptr);
  EXPECT_TRUE(v.allocated);
  EXPECT_EQ(x->bytes, 16 * kKi) << "the tile that a block keeps";
  EXPECT_EQ(x->declaredBytes, 2 * kMi);
  EXPECT_EQ(x->declared, (std::vector<std::int64_t>{1024, 1024}));
  EXPECT_FALSE(x->ids.empty());
  EXPECT_TRUE(v.traffic.empty());
}

// One line before, two kernels would have to share the accumulator: the tiles in shared memory are known all the same.
TEST(MemoryView, WhatIsAllocatedIsKnownBesideABufferThatKernelsCantShare) {
  const auto text = tensorCore(37);
  ASSERT_TRUE(text.problem);
  const MemoryView v = view(text);
  const MemoryBuffer* x = v.find("X_shared", L::kShared);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->bytes, 16 * kKi);
  const MemoryChange change = memoryChange(v, view(tensorCore(38)));
  EXPECT_EQ(std::count(change.buffers.begin(), change.buffers.end(), true),
            std::count_if(v.buffers.begin(), v.buffers.end(), [](const auto& b) { return b.name.ends_with("or"); }))
      << "only the accumulator";
}

TEST(MemoryView, NoDeviceLeavesBudgetsEmptyAndTheCountsAsTheyAre) {
  const auto text = tensorCore();
  const StateModel model = stateModelOf(text, {});
  const MemoryView& v = memoryOf(model);
  EXPECT_TRUE(v.budgets.empty());
  EXPECT_TRUE(v.floors.empty());
  EXPECT_TRUE(model.advice.empty());
  ASSERT_NE(v.find(L::kL2, L::kShared, 1), nullptr);
  EXPECT_EQ(v.find(L::kL2, L::kShared, 1)->perBlock, 256 * kKi);
}

TEST(MemoryView, TheNaiveProgramReadsAllFromGlobalMemory) {
  const auto state = model::replayed(model::readText("tests/oracle/cases/lessons/tensorcore.func.py"), "").last;
  const auto text = document::makeKernel(state);
  const MemoryView v = view(text);
  ASSERT_TRUE(v.kernel);
  EXPECT_EQ(v.blocks, 1);
  const MemoryTraffic* x = v.find(L::kL2, L::kRegisters, 0);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->bytes, 2.0 * 1024 * kMi);
  EXPECT_EQ(v.find(L::kL2, L::kShared, 0), nullptr);
}

// Copies ahead of three steps: past the registers, into stages of a ring; fragments come by ldmatrix.
TEST(MemoryView, AsynchronousCopiesGoPastTheRegistersIntoStages) {
  const std::string base = "tests/oracle/cases/tensorize/mma_written_f16f16f32_trans_b";
  const auto made = [&](const std::string& more) {
    return view(document::makeKernel(
        model::replayed(model::readText(base + ".func.py"), model::readText(base + ".sched.py") + more).last));
  };
  const MemoryView plain = made("");
  EXPECT_TRUE(plain.find(L::kL2, L::kShared, 0)->throughRegisters);
  EXPECT_EQ(plain.find(L::kL2, L::kShared, 0)->agent, device::Agent::Threads);
  EXPECT_EQ(plain.find("A_shared", L::kShared)->stages, 1);
  const MemoryView v = made(tests::scheduleText("mma_copies_ahead"));
  const MemoryTraffic* copy = v.find(L::kL2, L::kShared, 0);
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->agent, device::Agent::AsyncCopy);
  EXPECT_FALSE(copy->throughRegisters);
  EXPECT_EQ(copy->bytes, plain.find(L::kL2, L::kShared, 0)->bytes) << "the same bytes on another way";
  EXPECT_EQ(v.find("A_shared", L::kShared)->stages, 2);
  EXPECT_EQ(v.find("A_shared", L::kShared)->bytes, 2 * plain.find("A_shared", L::kShared)->bytes);
  EXPECT_EQ(v.find("C_warp", L::kRegisters)->stages, 1);
  EXPECT_EQ(v.find(L::kShared, L::kRegisters, 0)->by, std::vector<std::string>{"ldmatrix.x4"});
}

}  // namespace
}  // namespace loom::session::memory_view_test
