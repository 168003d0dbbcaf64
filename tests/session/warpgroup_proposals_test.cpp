// From the end of mma.sync's ladder on: what the advice proposes, applied step by step, leads to the end of Hopper's.
#include <gtest/gtest.h>

#include "core/tune/warpgroup_steps.h"
#include "tests/model/programs.h"
#include "tests/schedules/turn.h"
#include "tests/session/end_of_lesson.h"

namespace loom::session::warpgroup_proposals_test {
namespace {

class EndOfPipelinesLesson : public EndOfLesson {
 protected:
  EndOfPipelinesLesson() : EndOfLesson("pipelines") {}

  std::vector<tune::CandidateStep> steps() {
    const std::atomic<bool> goesOn = false;
    return tune::warpgroupSteps(bench_.navigation().history(), bench_.navigation().current(),
                                bench_.documents().environment(), model::deviceNamed("h200"), goesOn);
  }
};

TEST_F(EndOfPipelinesLesson, ApplyApplyIsAsFastAsTheEndOfHopperAt1024) {
  if (!tests::Turn(2).has(1)) GTEST_SKIP() << "another commit's turn";
  if (const std::string why = whyNoMachineCode(); !why.empty()) GTEST_SKIP() << why;
  using enum tune::PipelineMove;
  double time = microseconds();
  // The search is run for the first, the other is what it finds next: that takes it a minute of a core.
  for (const char* code : {"warpgroups", "busiest"}) {
    ASSERT_NE(advice(code), nullptr);
    const bool first = advice("warpgroups") != nullptr;
    const auto proposal = first ? searched(code) : stepWith({Tile, Staged}, steps());
    ASSERT_TRUE(proposal) << "against " << code;
    EXPECT_TRUE(couldHelp(proposal->step, *advice(code)));
    ASSERT_FALSE(bench_.edits().apply(*proposal).refusal);
    ASSERT_TRUE(settle());
    // By the model the first has nearly all of it: what is left are stores, which the copy engine does.
    EXPECT_LT(microseconds(), (first ? 0.98 : 0.999) * time) << "against " << code;
    if (first) {
      EXPECT_NEAR(proposal->before, time, 1e-6 * time);
      EXPECT_NEAR(proposal->after, microseconds(), 1e-6 * time) << "as it was promised";
    }
    time = microseconds();
    const std::string& cuda = bench_.programs().of(bench_.navigation().current())->kernel.source.text;
    for (const char* part : {"wgmma.mma_async", "cp.async.bulk.tensor", "mbarrier.try_wait"})
      EXPECT_NE(cuda.find(part), std::string::npos) << part;
  }
  open("hopper_1024");
  goToChapter(8);  // the last that is a gain
  EXPECT_LT(time, 1.15 * microseconds());
}

}  // namespace
}  // namespace loom::session::warpgroup_proposals_test
