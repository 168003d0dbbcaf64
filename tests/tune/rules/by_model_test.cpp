#include "core/tune/rules/by_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "tests/tune/rules/products.h"

namespace loom::tune::by_model_test {
namespace {

// A formula gives all blocks that are no product 256 threads; short rows want fewer, and several of them a block.
TEST(ByModel, ThreadsAndRowsAreThoseThatArePredictedFaster) {
  const model::Device& device = deviceNamed("h200");
  for (const auto& [name, sizes] : std::vector<std::pair<std::string, document::FunctionSizes>>{
           {"gemv", {{"M", 8000}, {"K", 1000}}}, {"gemv", {{"M", 2048}, {"K", 8192}}}}) {
    const schedule::State state = programState(ready(name, sizes));
    const auto plan = sketchOf(state, device, ruleLibrary());
    ASSERT_TRUE(plan) << plan.error().message;
    const auto built = buildAll(*plan, state, device, document::environment());
    ASSERT_TRUE(built) << built.error().message;
    const Built& best = built->front();
    const Sketch& sketch = plan->sketches[std::size_t(best.construction.sketch)];
    const auto first = construct(*plan, best.construction.sketch, device);
    ASSERT_TRUE(first);
    const auto made = madeByLines(state, linesOf(sketch, first->assignment).value(), document::environment());
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_LT(*best.microseconds, 0.95 * predictedTime(made->kernel, device).value());
    EXPECT_DOUBLE_EQ(*best.microseconds, predictedTime(best.kernel, device).value());
    EXPECT_EQ(best.lines, linesOf(sketch, best.construction.assignment).value());
    const ConstructionStep& step = best.construction.steps.back();
    ASSERT_FALSE(step.decisions.empty());
    for (std::size_t n = 0; n < step.decisions.size(); ++n) {
      const int d = decisionNamed(sketch.space, step.decisions[n]);
      EXPECT_TRUE(sketch.space.decisions[std::size_t(d)].leftToModel);
      EXPECT_EQ(step.values[n], best.construction.assignment[std::size_t(d)]);
      EXPECT_NE(step.values[n], first->assignment[std::size_t(d)]);
    }
    expectRight(state, best.state, best.lines);
  }
}

// Warps that share a row wait for each other: a warp or two a row, and more rows, are as many threads. Neither fewer
// threads nor more rows alone are predicted faster. 16384 × 1024 took 13.1 µs before, 5.9 with 64 threads (H200).
TEST(ByModel, FewerThreadsOfMoreRowsAreTriedTogether) {
  const model::Device& device = deviceNamed("h200");
  const schedule::State state = programState(ready("gemv", {{"M", 16384}, {"K", 1024}}));
  const auto plan = sketchOf(state, device, ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, device, document::environment());
  ASSERT_TRUE(built) << built.error().message;
  const Construction& construction = built->front().construction;
  const Space& space = plan->sketches[std::size_t(construction.sketch)].space;
  const auto valueOf = [&](const char* name) {
    return construction.assignment[std::size_t(decisionNamed(space, name))];
  };
  EXPECT_LE(valueOf("threads"), 64);
  EXPECT_GE(valueOf("threads") * valueOf("rows"), 256);
  const std::string words = construction.steps.back().words.english();
  EXPECT_THAT(words, testing::HasSubstr(fmt::format("threads = {}", valueOf("threads"))));
  EXPECT_THAT(words, testing::HasSubstr(fmt::format("rows = {}", valueOf("rows"))));
}

// Lanes read neighbours in memory: of a sum of columns these are of neighbouring sums.
TEST(ByModel, ColumnsAreSummedByLanesOfNeighbouringColumns) {
  const schedule::State state = programState(tests::programText("column_sums"));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  const Built& best = built->front();
  EXPECT_THAT(best.lines, testing::HasSubstr("sch.bind(s1, \"threadIdx.x\")\n"));
  EXPECT_THAT(best.lines, testing::HasSubstr("sch.bind(r1, \"threadIdx.y\")\n"));
  const Sketch& sketch = plan->sketches[std::size_t(best.construction.sketch)];
  const auto read = decisionsOf(sketch, state, best.state);
  EXPECT_TRUE(membershipOf(sketch.space, read).isMember.value_or(false)) << best.lines;
  expectRight(state, best.state, best.lines);
}

// 65 blocks of 16 columns: each thread would wait for 257 loads one after another, which the bytes alone don't tell.
TEST(ByModel, LongSumsOfFewBlocksAreCutIntoParts) {
  const schedule::State state = programState(tests::programText("tall_column_sums"));
  const auto plan = sketchOf(state, deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_THAT(built->front().lines, testing::HasSubstr("rfactor"));
}

// From 256 threads of two rows no step leads to 32 threads of eight: what lies between is predicted slower.
TEST(ByModel, OfFewCombinationsTheBestIsTakenWhereNoStepLeads) {
  const model::Device& device = deviceNamed("h200");
  const schedule::State state = programState(ready("gemv", {{"M", 6144}, {"K", 3072}}));
  const auto plan = sketchOf(state, device, ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto built = buildAll(*plan, state, device, document::environment());
  ASSERT_TRUE(built) << built.error().message;
  const Construction& construction = built->front().construction;
  const Sketch& sketch = plan->sketches[std::size_t(construction.sketch)];
  EXPECT_THAT(construction.steps.back().words.english(), testing::HasSubstr("of all "));
  Trials trials(state, device, document::environment(), nullptr);
  const double best = trials.predicted(built->front().kernel)->withLatency;
  const int threads = decisionNamed(sketch.space, "threads"), rows = decisionNamed(sketch.space, "rows");
  for (const std::int64_t t : sketch.space.decisions[std::size_t(threads)].values)
    for (const std::int64_t r : sketch.space.decisions[std::size_t(rows)].values) {
      Assignment other = construction.assignment;
      other[std::size_t(threads)] = t;
      other[std::size_t(rows)] = r;
      if (brokenBy(sketch.space, other) != nullptr) continue;
      if (t * r > 512) continue;  // blocks that wide are weighed
      const auto made = trials.made(linesOf(sketch, other).value());
      if (made) {
        EXPECT_LE(best * kBetter, trials.predicted(made->kernel)->withLatency) << t << " threads, " << r << " rows";
      }
    }
  expectRight(state, built->front().state, built->front().lines);
}

}  // namespace
}  // namespace loom::tune::by_model_test
