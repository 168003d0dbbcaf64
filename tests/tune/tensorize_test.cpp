// What the passes to tensor cores and the list of further steps report, and that it holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/export.h"
#include "core/exec/check.h"
#include "core/ir/equal.h"
#include "core/tune/step_form.h"
#include "core/tune/tensorize/performance.h"
#include "tests/tune/tensorize_cases.h"

namespace loom::tune::tensorize_test {
namespace {

using enum PassOutcome;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// The two functions of one schedule, as the passes have it and as a person writes it, with each tile and element.
TEST(Tensorize, ThePassesEndWhereSplitBlockizeAndTensorizeDo) {
  struct Case {
    const char *in, *out, *shortIn, *shortOut;
    device::ProductTile tile;
  };
  for (const Case& c :
       {Case{"float16", "float32", "f16", "f32", kSquare}, Case{"float16", "float32", "f16", "f32", kTall},
        Case{"float16", "float32", "f16", "f32", kWide}, Case{"bfloat16", "float32", "bf16", "f32", kTall},
        Case{"float16", "float16", "f16", "f16", kWide}}) {
    const std::string m = std::to_string(c.tile.m), n = std::to_string(c.tile.n), tile = textOf(c.tile);
    SCOPED_TRACE(tile + c.in + c.out);
    const std::string in = c.shortIn, out = c.shortOut, load = "wmma_load_" + tile + "_" + in,
                      multiply = "wmma_sync_" + tile + "_" + in + in + out + "_trans",
                      store = "wmma_store_" + tile + "_" + out + "_global";
    Source source = ofTile("Four", c.in, c.out, c.tile);
    const std::string i = std::to_string(2 * c.tile.m), j = std::to_string(2 * c.tile.n);
    source.value.replace(source.value.find("B[vk, vj]"), 9, "B[vj, vk]");
    source.a = i + ", 64", source.b = j + ", 64", source.c = i + ", " + j, source.extents = i + ", " + j + ", 64";
    Asked asked(source);
    const WarpPlan& plan = asked.found.threads.plan;
    ASSERT_THAT((std::vector{plan.warpsM, plan.warpsN, plan.tilesM, plan.tilesN, plan.tilesK}),
                ElementsAre(2, 2, 1, 1, 2));
    const auto vector = [](int rows) { return std::to_string(std::min(8, rows / 2)); };
    const auto byHand =
        previewLines(asked.target.history, 0,
                     tests::scheduleText("four_warps_of_tiles", {{"M", m},
                                                                 {"N", n},
                                                                 {"XS", vector(c.tile.m)},
                                                                 {"YS", vector(c.tile.n)},
                                                                 {"FILL", "wmma_fill_" + tile + "_" + out},
                                                                 {"LOAD_A", load + "_a_shared"},
                                                                 {"LOAD_B", load + "_b_trans_shared"},
                                                                 {"MULTIPLY", multiply},
                                                                 {"STORE", store}}),
                     document::environment());
    ASSERT_TRUE(byHand) << byHand.error().message.english();
    EXPECT_TRUE(ir::structuralEqual(asked.after().module().functions.front(), byHand->module().functions.front()));
  }
}

TEST(Tensorize, APassPressedAfterTheOtherGoesOnWhereItWas) {
  Asked asked(Source{.name = "Rows"});
  document::History& history = asked.target.history;
  std::string lines = asked.found.linesUpTo(4);
  for (int passes = 1; passes <= 4; ++passes) {
    const auto applied = history.apply(asked.found.at, asked.found.linesUpTo(passes), document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const Tensorization next = tensorization(history, applied->node, document::environment(), nullptr, {});
    // The first pass only names the block, and makes no state.
    EXPECT_EQ(next.done, passes == 1 ? 0 : passes);
    EXPECT_EQ(next.at, 0);
    EXPECT_EQ(next.linesUpTo(4), lines);
  }
}

// Float32 is not multiplied with fewer digits unasked: what is missing is named.
TEST(Tensorize, Tf32IsTheUsersChoice) {
  Source source = asTf32({.name = "Floats"});
  EXPECT_THAT(Asked(source).found.scaling.lines, EndsWith("\"wmma_sync_16x16x8_tf32tf32f32\")"));
  source.request.tf32 = false;
  const Asked asked(source);
  EXPECT_EQ(asked.outcome(), OperandTypes);
  EXPECT_THAT(asked.found.pattern.verdict.english(), HasSubstr("float32 as tf32 alone, which keeps 10 of its 23"));
}

TEST(Tensorize, SaysWhatItKeepsOfThreads) {
  const Asked asked(tiled("Threads", tests::scheduleText("threads_of_autotvm")));
  const ThreadTiles& before = *asked.found.threads.before;
  EXPECT_THAT(before.threads, ElementsAre(2, 32, 2));
  EXPECT_THAT(
      (std::vector{before.warpX, before.warpY, before.warpI, before.warpJ, before.blockI, before.blockJ, before.stepK}),
      ElementsAre(2, 16, 32, 16, 64, 32, 32));
  EXPECT_EQ(before.lanes[0].size(), 16U) << "8 columns of a thread for each of two virtual threads";
  EXPECT_EQ(before.lanes[31].back(), std::pair(31, 15));
  EXPECT_EQ(asked.found.at, 0) << "the steps begin at the plain nest";
  ASSERT_EQ(asked.found.threads.kept.size(), 3U);
  EXPECT_EQ(asked.found.threads.kept[1], "Kept: 4 warps, 2 × 2, each 32 × 16 elements.");
}

TEST(Tensorize, LoopsLoseTheFactorOfTheirDimension) {
  const Asked asked(Source{.name = "Rows"});
  std::vector<std::int64_t> factors;
  for (const ScaledLoop& loop : asked.found.scaling.loops) {
    factors.push_back(loop.factor);
    EXPECT_EQ(loop.before, loop.after * loop.factor) << loop.name;
  }
  EXPECT_THAT(factors, ElementsAre(16, 16, 16));
}

// The multiply-add's own loops and those that store what it has summed; those along k as the lines divide k.
TEST(Tensorize, LoopsOfALocalSumAreThoseThatAThreadRuns) {
  const Asked asked(Source{.name = "LocalSumOfBytes",
                           .a = "64, 96",
                           .b = "192, 96",
                           .c = "64, 192",
                           .in = "int8",
                           .out = "int32",
                           .value = "T.int32(A[vi, vk]) * T.int32(B[vj, vk]) + C[vi, vj]",
                           .extents = "64, 192, 96",
                           .schedule = tests::scheduleText("local_sum_of_bytes")});
  ASSERT_EQ(asked.outcome(), Scaled);
  std::vector<std::string> loops;
  for (const ScaledLoop& loop : asked.found.scaling.loops)
    loops.push_back(fmt::format("{} {} → {}", loop.name, loop.before, loop.after));
  EXPECT_THAT(loops, ElementsAre("k_0 3 → 6", "k_1 32 → 1", "j_3 8 → 1", "ax0 8 → 1"));
  EXPECT_EQ(asked.found.scaling.loops[0].reason, "16 of k in shared memory at a time instead of 32");
  EXPECT_THAT(asked.found.threads.lines, HasSubstr("k_step, k_tile, k_in = sch.split(k, [None, 1, 16])"));
}

TEST(Tensorize, TheTableOfOperandsSaysWhichIteratorsIndexWhich) {
  const Asked asked(transposed(kSecondFirst, false, true));
  const auto& rows = asked.found.matrices.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].buffer->name, "A") << "written second";
  EXPECT_THAT(rows[0].uses, ElementsAre(true, false, true));
  EXPECT_THAT(rows[1].uses, ElementsAre(false, true, true));
  EXPECT_FALSE(rows[1].rowMajor);
  EXPECT_THAT(asked.found.scaling.lines, EndsWith("\"wmma_sync_16x16x16_f16f16f32_trans_commuted\")"));
  const Asked swapped(kSwapped);
  EXPECT_EQ(swapped.found.matrices.rows[0].buffer->name, "B");
}

// What the list offers is right, and the passes know their end with it.
TEST(Tensorize, ThePerformanceListIsAppliedToTheEnd) {
  Source source{.name = "Rows", .a = "64, 64", .b = "64, 64", .c = "64, 64", .extents = "64, 64, 64"};
  source.request.plan = WarpPlan{2, 2, 2, 2, 2};
  const auto device = *model::findDevice(*model::loadDevices(document::assets()), "a100_80");
  Asked asked(source, &device);
  document::History& history = asked.target.history;
  const Performance performance = performanceOf(history, asked.found, document::environment(), &device, source.request);
  EXPECT_GT(performance.microseconds.value_or(0), 0);
  ASSERT_EQ(performance.steps.size(), speedupRows().size());
  int offered = 0;
  for (const SpeedupReport& step : performance.steps) {
    SCOPED_TRACE(std::string(speedupRows()[std::size_t(step.speedup)].id));
    EXPECT_FALSE(step.verdict.empty());
    if (step.speedup == Speedup::VectorCopies || step.speedup == Speedup::TunedTiles) {
      EXPECT_TRUE(step.done || step.microseconds < performance.microseconds);
    } else {
      EXPECT_NE(step.lines, "") << step.verdict.english();
    }
    if (step.lines.empty()) continue;
    ++offered;
    EXPECT_GT(step.microseconds.value_or(0), 0);
    const auto applied = history.apply(asked.found.at, step.lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const auto report = exec::check(history.node(0).state.module().functions.front(),
                                    history.node(applied->node).state.module().functions.front(), exec::Options{});
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_EQ(report->status, exec::Report::Status::Verified) << exec::describe(*report).english();
    const Tensorization after = tensorization(history, applied->node, document::environment(), &device, {});
    EXPECT_EQ(after.done, 4);
    EXPECT_EQ(after.further, step.added);
    EXPECT_EQ(after.threads.plan, *step.request.plan);
    const auto again = performanceOf(history, after, document::environment(), &device, {});
    EXPECT_TRUE(again.steps[std::size_t(step.speedup)].done) << "and nothing twice";
  }
  EXPECT_GE(offered, 3);
}

// TVM has no intrinsic of a product written the other way round: the script that TVM runs registers ours.
TEST(Tensorize, ExportedPythonRegistersWhatTvmLacks) {
  for (const Source& source : {kSecondFirst, Source{.name = "Rows"}}) {
    Asked asked(source);
    const auto applied = asked.target.history.apply(0, asked.found.linesUpTo(4), document::environment());
    ASSERT_TRUE(applied && !applied->refusal);
    const std::string python = document::pythonFile(asked.target, applied->node, document::environment());
    const auto registers = HasSubstr("tir.TensorIntrin.register(\"wmma_sync_16x16x16_f16f16f32_commuted\"");
    if (source.name == "Rows") {
      EXPECT_THAT(python, Not(registers));
    } else {
      EXPECT_THAT(python, registers);
    }
  }
}

}  // namespace
}  // namespace loom::tune::tensorize_test
