// From the end of the Tensor Core lesson on: what the advice on its copies proposes, applied step by step.
#include <gtest/gtest.h>

#include "core/exec/check.h"
#include "core/tune/pipeline_steps.h"
#include "tests/schedules/turn.h"
#include "tests/session/end_of_lesson.h"

namespace loom::session::pipeline_proposals_test {
namespace {

class EndOfTensorCoreLesson : public EndOfLesson {
 protected:
  EndOfTensorCoreLesson() : EndOfLesson("tensor_core") {}

  std::vector<tune::CandidateStep> steps() {
    const std::atomic<bool> goesOn = false;
    return tune::pipelineSteps(bench_.navigation().history(), bench_.navigation().current(),
                               bench_.documents().environment(), goesOn);
  }
};

TEST_F(EndOfTensorCoreLesson, ApplyApplyIsFasterEachTime) {
  if (!tests::Turn(2).has(0)) GTEST_SKIP() << "another commit's turn";
  if (const std::string why = whyNoMachineCode(); !why.empty()) GTEST_SKIP() << why;
  exec::Options sample;
  sample.budget = 1;
  auto checker = exec::Checker::create(bench_.navigation().history().node(0).state.module().functions.front(), sample);
  ASSERT_TRUE(checker);
  using enum tune::PipelineMove;
  // The search is run for the first, the other is known: it takes half a minute of a core each time. A pipeline whose
  // copies go through registers is no gain here, by the model and on an H200 (assets/recorded).
  const std::pair<const char*, std::vector<tune::PipelineMove>> ladder[] = {{"turns", {Overlap, Asynchronous}},
                                                                            {"passing", {Slot, Order, Unroll}}};
  double time = microseconds();
  for (const auto& [subject, moves] : ladder) {
    ASSERT_NE(advice("pipeline"), nullptr);
    EXPECT_EQ(advice("pipeline")->subject, subject);
    const auto proposal = moves.front() == Overlap ? searched("pipeline") : stepWith(moves, steps());
    ASSERT_TRUE(proposal) << "against " << subject;
    EXPECT_EQ(proposal->step.moves, moves);
    const int before = bench_.navigation().current();
    ASSERT_FALSE(bench_.edits().apply(*proposal).refusal);
    const int after = bench_.navigation().current();
    bench_.edits().undo();
    EXPECT_EQ(bench_.navigation().current(), before) << "one action";
    bench_.edits().redo();
    ASSERT_EQ(bench_.navigation().current(), after);
    ASSERT_TRUE(settle());
    const double faster = microseconds();
    EXPECT_LT(faster, 0.98 * time) << "against " << subject;
    if (moves.front() == Overlap) {
      EXPECT_NEAR(proposal->before, time, 1e-6 * time);
      EXPECT_NEAR(proposal->after, faster, 1e-6 * time) << "as it was promised";
    }
    time = faster;
    const auto report = checker->check(bench_.navigation().node().state.module().functions.front());
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->foundNothing()) << "against " << subject;
  }
}

TEST_F(EndOfTensorCoreLesson, CopiesThroughRegistersAreWhatAPipelineOfThemIsToldOf) {
  if (!tests::Turn(2).has(0)) GTEST_SKIP() << "another commit's turn";
  if (const std::string why = whyNoMachineCode(); !why.empty()) GTEST_SKIP() << why;
  using enum tune::PipelineMove;
  const auto overlap = stepWith({Overlap}, steps());
  ASSERT_TRUE(overlap);
  ASSERT_FALSE(bench_.edits().apply(*overlap).refusal);
  ASSERT_TRUE(settle());
  const double time = microseconds();
  ASSERT_NE(advice("pipeline"), nullptr);
  EXPECT_EQ(advice("pipeline")->subject, "registers");
  const auto proposal = stepWith({Asynchronous}, steps());
  ASSERT_TRUE(proposal);
  ASSERT_FALSE(bench_.edits().apply(*proposal).refusal);
  ASSERT_TRUE(settle());
  EXPECT_LT(microseconds(), 0.98 * time);
}

}  // namespace
}  // namespace loom::session::pipeline_proposals_test
