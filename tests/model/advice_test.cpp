#include "core/model/advice.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::advice_test {
namespace {

std::vector<Advice> adviceFor(const device::Program& p) {
  Device d = deviceNamed("h200");
  return adviceOn(modelOf(p.kernels.front(), d), d);
}

const Advice* find(const std::vector<Advice>& all, const std::string& code) {
  for (const Advice& a : all)
    if (a.code == code) return &a;
  return nullptr;
}

TEST(Advice, ConflictsNameTheirCostAndTheStepThatRemovesThem) {
  auto all = adviceFor(tensorCore());
  const Advice* a = find(all, "bank_conflicts");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->numbers.at("ways"), 8);
  EXPECT_GT(a->microseconds, 25) << "each of the two tiles";
  EXPECT_LT(a->microseconds, 45);
  EXPECT_EQ(a->step, "sch.storage_align(block=\"X_shared\", buffer_index=0, axis=-2, factor=16, offset=8)");
}

TEST(Advice, ItsStepNamesTheBlockThatWritesTheBuffer) {
  const device::Program program = tensorCore();
  KernelAccesses k = accessesOf(program.kernels.front());
  for (Access& a : k.accesses)
    if (a.write && a.buffer->name == "X_shared") a.blockName = "fetch";
  const auto padding = paddingOf(k, *loom::model::find(k, "X_shared", false));
  ASSERT_TRUE(padding);
  EXPECT_EQ(padding->step, "sch.storage_align(block=\"fetch\", buffer_index=0, axis=-2, factor=16, offset=8)");
}

TEST(Advice, TheStepThatItNamesRemovesTheConflicts) {
  std::string steps;
  for (const Advice& a : adviceFor(tensorCore())) {
    if (a.code != "bank_conflicts") continue;
    std::string line = a.step;
    std::string handle = line.find("X_shared") != std::string::npos ? "b22" : "b33";
    line.replace(line.find('"'), line.rfind('"') - line.find('"') + 1, handle);
    steps += line + "\n";
  }
  auto after = adviceFor(tensorCore(steps));
  EXPECT_EQ(find(after, "bank_conflicts"), nullptr);
  EXPECT_NE(find(after, "few_blocks"), nullptr) << "64 blocks on 132 multiprocessors";
}

TEST(Advice, ScatteredAccessesAreFoundAndCoalescedOnesLeftAlone) {
  EXPECT_EQ(find(adviceFor(copy(1, 1, "float32")), "scattered_access"), nullptr);
  EXPECT_EQ(find(adviceFor(copy(1, 4, "float32")), "scattered_access"), nullptr);
  auto all = adviceFor(copy(16, 1, "float32"));
  const Advice* a = find(all, "scattered_access");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->numbers.at("sectors"), 32);
  EXPECT_EQ(a->numbers.at("needed"), 4);
}

// Both tiles are copied by 16 × 32 threads, but the products by 16: nothing around them is bound to threadIdx.x.
TEST(Advice, LanesThatWaitAreToldWithTheAxisAndTheirCost) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  std::string lines = readText(path + ".sched.py");
  const std::size_t end = lines.find("b44 = sch.cache_read");
  ASSERT_NE(end, std::string::npos);
  const auto all = adviceFor(lowered(readText(path + ".func.py"), lines.substr(0, end)));
  ASSERT_FALSE(all.empty());
  const Advice& worst = all.front();
  EXPECT_EQ(worst.code, "idle_lanes");
  EXPECT_EQ(worst.subject, "Z");
  EXPECT_EQ(worst.numbers.at("axis"), 0) << "threadIdx.x";
  EXPECT_EQ(worst.numbers.at("lanes"), 1);
  EXPECT_GT(worst.microseconds, 0.8 * worst.numbers.at("predicted"));
  EXPECT_LT(worst.microseconds, worst.numbers.at("predicted"));
}

// A row of A for a block of 64 threads, by every thread or by all together.
TEST(Advice, WorkThatEveryThreadDoesForItselfIsToldWithItsCost) {
  const std::string function = tests::programText("product", {{"M", 64}, {"N", 64}, {"K", 64}});
  const std::string bound = tests::scheduleText("shared_rows_of_a");
  const auto alike = adviceFor(lowered(function, bound + "sch.compute_at(s, j)\n"));
  const Advice* a = find(alike, "repeated_work");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->subject, "A_shared");
  EXPECT_EQ(a->numbers.at("threads"), 64);
  EXPECT_GT(a->microseconds, 0);
  EXPECT_LT(a->microseconds, a->numbers.at("predicted"));
  const auto shared =
      adviceFor(lowered(function, bound + "sch.compute_at(s, i)\nsch.bind(sch.get_loops(s)[-1], \"threadIdx.x\")\n"));
  EXPECT_EQ(find(shared, "repeated_work"), nullptr);
  // Nothing binds threadIdx.x around the copy of A, so that its first thread stands for all; those of y each copy.
  const auto guarded = adviceFor(lowered(function, tests::scheduleText("shared_copy_by_each_of_y")));
  a = find(guarded, "repeated_work");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->subject, "A_shared");
  EXPECT_EQ(a->numbers.at("threads"), 4);
}

// Lanes that each copy a row of B to shared memory, of either kind, and every thread all of A's.
TEST(Advice, CopiesToSharedMemoryOfEitherKindAreTold) {
  const std::string function = tests::programText("product", {{"M", 64}, {"N", 64}, {"K", 64}});
  for (const char* scope : {"shared", "shared.dyn"}) {
    const auto all = adviceFor(lowered(function, tests::scheduleText("copies_of_whole_factors", {{"SCOPE", scope}})));
    const Advice* scattered = find(all, "scattered_access");
    ASSERT_NE(scattered, nullptr) << scope;
    EXPECT_EQ(scattered->subject, "B");
    EXPECT_EQ(scattered->numbers.at("copy"), 1) << scope;
    const Advice* repeated = find(all, "repeated_work");
    ASSERT_NE(repeated, nullptr) << scope;
    EXPECT_EQ(repeated->subject, "A_" + std::string(scope));
  }
}

TEST(Advice, AKernelOfOneThreadIsToldToBindAndNotToMakeSmallerTiles) {
  const auto all = adviceFor(lowered(readText("tests/oracle/cases/lessons/tensorcore.func.py"), ""));
  ASSERT_NE(find(all, "one_thread"), nullptr);
  EXPECT_EQ(all.front().code, "one_thread");
  EXPECT_EQ(find(all, "few_blocks"), nullptr);
  EXPECT_EQ(find(all, "idle_lanes"), nullptr);
}

TEST(Advice, ABlockOfLessThanAWarpLeavesLanesEmpty) {
  const auto all = adviceFor(
      lowered(readText("tests/oracle/cases/lessons/tensorcore.func.py"), tests::scheduleText("eight_threads_a_block")));
  const Advice* a = find(all, "small_block");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->numbers.at("threads"), 8);
  EXPECT_EQ(find(all, "one_thread"), nullptr);
}

// A block a row, with so many threads; `more`: on the block b with the loops i (of the grid), j, t (threads) and k.
std::vector<Advice> adviceOfRows(int rows, int columns, int depth, int threads, const std::string& more = "") {
  return adviceFor(lowered(tests::programText("product", {{"M", rows}, {"N", columns}, {"K", depth}}),
                           tests::scheduleText("block_a_row", {{"THREADS", threads}}) + more));
}

TEST(Advice, ALastWaveWithFewBlocksIsToldWithWhatItLeavesIdle) {
  const auto all = adviceOfRows(300, 1024, 64, 1024);  // two such blocks on each of 132 multiprocessors
  const Advice* a = find(all, "last_wave");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->numbers.at("slots"), 264);
  EXPECT_EQ(a->numbers.at("last"), 36);
  EXPECT_GT(a->microseconds, 0);
  EXPECT_EQ(find(all, "few_blocks"), nullptr);
  EXPECT_EQ(find(adviceOfRows(264, 1024, 64, 1024), "last_wave"), nullptr) << "one whole wave";
}

// 264 blocks of 1024 threads fill one wave, but not as clusters of 8: 30 of these run at a time.
TEST(Advice, ClustersThatGpcsHaveNoRoomForAreTold) {
  const auto all = adviceOfRows(264, 1024, 64, 1024, "sch.annotate(b, \"tileloom.cluster_x\", 8)\n");
  const Advice* a = find(all, "last_wave");
  ASSERT_NE(a, nullptr);
  EXPECT_NE(a->message.english().find("clusters of 8 blocks leave"), std::string::npos) << a->message.english();
  EXPECT_NE(a->message.english().find("take 2 waves where 1 would do without"), std::string::npos);
  EXPECT_EQ(find(all, "few_blocks"), nullptr);
}

TEST(Advice, WarpsThatSharedMemoryKeepsAwayAreTold) {
  const auto all = adviceOfRows(1024, 64, 10240, 64, "s = sch.cache_read(b, 0, \"shared\")\nsch.compute_at(s, i)\n");
  const Advice* a = find(all, "few_warps");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->subject, "shared");
  EXPECT_EQ(a->numbers.at("warps"), 10) << "five blocks with 40 KiB and two warps each";
  EXPECT_EQ(find(adviceOfRows(1024, 64, 512, 64), "few_warps"), nullptr) << "the blocks that can live limit it";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

// A multiprocessor has one block by design where a ring of slots hides latency; with one slot other blocks do.
TEST(Advice, FewWarpsAreNoFaultWhereARingHidesLatency) {
  const std::string folder = "assets/lessons/hopper";
  const auto adviceOf = [&](const std::string& lines) {
    return adviceFor(lowered(readText(folder + "/function.py"), lines));
  };
  const auto chapter = [&](const char* name) { return readText(folder + "/steps/" + name + ".sched.py"); };
  // One warpgroup and a tile of 64 × 256: 40 KiB a block.
  std::string wide = replaced(chapter("03_large"), "factors=[None, 2, 1, 64]", "factors=[None, 1, 1, 64]");
  wide = replaced(replaced(wide, "factors=[None, 128]", "factors=[None, 256]"), "64x128", "64x256");
  wide = replaced(wide, "n128", "n256");
  const auto one = adviceOf(wide);
  ASSERT_NE(find(one, "few_warps"), nullptr);
  ASSERT_NE(find(one, "warpgroups"), nullptr);
  EXPECT_LT(find(one, "warpgroups"), find(one, "few_warps")) << "what has a cost comes first";
  // Its help names the ring, too, rather than what would contradict it.
  EXPECT_EQ(find(one, "few_warps")->numbers.at("roles"), 1);
  EXPECT_EQ(find(one, "busiest")->numbers.at("ring"), 0);
  EXPECT_EQ(find(adviceOf(wide + chapter("04_ring")), "few_warps"), nullptr);
  EXPECT_EQ(find(adviceOf(chapter("03_large") + chapter("04_ring") + chapter("05_roles")), "few_warps"), nullptr);
  const auto staged = adviceOf(chapter("09_staged"));
  EXPECT_EQ(find(staged, "few_warps"), nullptr);
  // What else is told of a kernel depends on it, too.
  EXPECT_EQ(find(staged, "busiest")->numbers.at("roles"), 1);
  EXPECT_EQ(find(staged, "busiest")->numbers.at("ring"), 1);
}

TEST(Advice, WhatIsBusiestIsToldLastOfEveryKernel) {
  const auto all = adviceFor(tensorCore());
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.back().code, "busiest");
  EXPECT_EQ(all.back().subject, "shared") << "eight ways";
  EXPECT_GT(all.back().numbers.at("percent"), 50);
  EXPECT_EQ(all.back().numbers.at("roles"), 0);
  EXPECT_LE(all.back().numbers.at("percent"), 100);
}

// Conflicts are charged by the wavefront: with a cheaper one the same conflicts cost less.
TEST(Advice, BelowTwoPercentOfThePredictedTimeIsNotGiven) {
  const Device d = deviceNamed("h200");
  device::Program p = tensorCore();
  const KernelModel m = modelOf(p.kernels.front(), d);
  const auto all = adviceOn(m, d);
  const Advice* a = find(all, "bank_conflicts");
  ASSERT_NE(a, nullptr);
  auto at = [&](double share) {
    CalibratedConstants f;
    f.clocksPerWavefront *= share * m.estimate->microseconds / a->microseconds;
    return adviceOn(m, d, f);
  };
  EXPECT_NE(find(at(0.021), "bank_conflicts"), nullptr);
  const auto cheap = at(0.019);
  EXPECT_EQ(find(cheap, "bank_conflicts"), nullptr);
  EXPECT_NE(find(cheap, "few_blocks"), nullptr) << "costs as much as before";
  EXPECT_EQ(cheap.back().code, "busiest");
}

TEST(Advice, ADeviceWithoutFiguresGetsNoInventedCosts) {
  Device bare = *parseDevice(R"({"id": "x", "name": "X", "compute_capability": [9, 0], "figures": {}})", "x.json");
  device::Program p = tensorCore();
  for (const Advice& a : adviceOn(modelOf(p.kernels.front(), bare), bare)) {
    EXPECT_EQ(a.microseconds, 0) << a.message.english();
    EXPECT_NE(a.code, "few_blocks");
  }
}

}  // namespace
}  // namespace loom::model::advice_test
