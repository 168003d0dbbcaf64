#include "core/tune/warpgroup_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/document/kernel.h"
#include "core/document/target.h"
#include "core/tune/rules/built.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"

namespace loom::tune::warpgroup_steps_test {
namespace {

using enum PipelineMove;

const std::atomic<bool> kNeverStops = false;

// A Hopper lesson's program, and a state after some of its steps.
struct Climb {
  document::Target target;
  int node = 0;

  explicit Climb(const std::string& lesson, std::initializer_list<const char*> chapters = {})
      : target(*document::openFunction(model::readText("assets/lessons/" + lesson + "/function.py"), "function.py")) {
    for (const char* chapter : chapters)
      take(model::readText("assets/lessons/" + lesson + "/steps/" + chapter + ".sched.py"), node);
  }
  void take(const std::string& lines, int at) {
    const auto applied = target.history.apply(at, lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal) << lines;
    node = applied->node;
  }
  std::vector<CandidateStep> steps(const char* device = "h200") const {
    return warpgroupSteps(target.history, node, document::environment(), model::deviceNamed(device), kNeverStops);
  }
  double predicted(const schedule::State& state) const {
    const auto time = predictedTime(document::makeKernel(state), model::deviceNamed("h200"));
    return time ? *time : 1e9;
  }
};

std::vector<std::vector<PipelineMove>> movesOf(const std::vector<CandidateStep>& steps) {
  std::vector<std::vector<PipelineMove>> moves;
  for (const CandidateStep& step : steps) moves.push_back(step.moves);
  return moves;
}

TEST(WarpgroupSteps, LeadFromTheTripleLoopToWgmma) {
  const Climb plain("hopper_1024");
  const auto steps = plain.steps();
  ASSERT_EQ(steps.size(), 2U) << "the constructed schedule, and the same tile without a ring";
  for (const CandidateStep& step : steps) {
    EXPECT_EQ(step.at, 0);
    EXPECT_EQ(step.edited, -1) << "lines at the program itself";
    EXPECT_THAT(step.moves, testing::ElementsAre(Warpgroups));
    EXPECT_FALSE(document::makeKernel(step.state).problem);
    EXPECT_THAT(step.lines, testing::HasSubstr("wgmma_m64n128k16"));
  }
  EXPECT_LT(plain.predicted(steps[0].state), plain.predicted(steps[1].state));
  EXPECT_TRUE(plain.steps("a100_80").empty());
}

TEST(WarpgroupSteps, TryEachDecisionWithItsNextValues) {
  const Climb ring("hopper_1024", {"03_tile", "04_ring"});
  const auto moves = movesOf(ring.steps());
  for (const PipelineMove one : {Ring, InFlight, Loaders, Tile})
    EXPECT_THAT(moves, testing::Contains(std::vector{one})) << int(one);
  for (const CandidateStep& step : ring.steps()) {
    EXPECT_EQ(step.at, 0) << "an edit of all steps since the program";
    EXPECT_EQ(step.edited, ring.target.history.path(ring.node)[1]);
    EXPECT_FALSE(document::makeKernel(step.state).problem);
  }
  const Climb end("hopper", {"07_raster"});
  EXPECT_THAT(movesOf(end.steps()), testing::Contains(std::vector{Persistent}));
}

// From one tile without a ring: the step of one decision, or of one that needs another one, that is predicted to gain
// most, again and again, ends near the construction.
TEST(WarpgroupSteps, ClimbTheLadderOneDecisionAtATime) {
  Climb climb("hopper_1024", {"02_one"});
  const Climb plain("hopper_1024");
  const double end = plain.predicted(plain.steps().front().state);
  double now = climb.predicted(climb.target.history.node(climb.node).state);
  EXPECT_GT(now, end);
  int taken = 0;
  for (; taken < 12; ++taken) {
    const CandidateStep* best = nullptr;
    double least = now;
    const auto steps = climb.steps();
    for (const CandidateStep& step : steps) {
      if (step.moves.size() > 2) continue;
      if (const double time = climb.predicted(step.state); time < 0.998 * least) least = time, best = &step;
    }
    if (best == nullptr) break;
    climb.take(best->lines, best->at);
    now = least;
  }
  EXPECT_GE(taken, 1);
  EXPECT_LT(now, 1.1 * end);
}

}  // namespace
}  // namespace loom::tune::warpgroup_steps_test
