// From the end of the Tensor Core lesson on: what the advice on its copies proposes, applied step by step.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/session/proposals.h"
#include "core/exec/check.h"
#include "core/tune/pipeline_steps.h"
#include "tests/session/with_workbench.h"

namespace loom::session::pipeline_proposals_test {
namespace {

// Compiles with the program itself, where it is built and there is a toolkit.
class EndOfTensorCoreLesson : public WithWorkbench {
 protected:
  EndOfTensorCoreLesson() : WithWorkbench({64, 48, 32}, 600000, program() + " worker") {
    bench_.documents().open("tensor_core");
    wait([&] { return bench_.documents().target()->lesson && !bench_.documents().isOpening(); });
    bench_.navigation().goToChapter(int(bench_.documents().target()->chapterNodes.size()) - 1);
    wait([&] { return model() != nullptr && bench_.models().isFinal(bench_.navigation().current()); });
  }
  static std::string program() { return std::string(TILELOOM_BINARY_DIR) + "/tileloom"; }

  std::shared_ptr<const StateModel> model() {
    return bench_.models().of(bench_.navigation().current(), ModelBasis::kMachineCode);
  }
  const model::Advice* advice() {
    for (const model::Advice& a : model()->advice)
      if (a.code == "pipeline") return &a;
    return nullptr;
  }
  // The proposal against the exposed copies; nothing where the search ends without one.
  std::optional<Proposal> searched() {
    const auto found = [&]() -> const Proposal* {
      const auto made = bench_.proposals().proposals();
      const AdviceTrial* trial = made && advice() ? made->against(*advice()) : nullptr;
      return trial && trial->proposal >= 0 ? &made->offered[std::size_t(trial->proposal)] : nullptr;
    };
    wait([&] {
      const auto made = bench_.proposals().proposals();
      return found() != nullptr || (made && made->done);
    });
    const Proposal* proposal = found();
    return proposal ? std::optional(*proposal) : std::nullopt;
  }
  // The candidate that makes these moves; nothing where there is none.
  std::optional<Proposal> stepWith(const std::vector<tune::PipelineMove>& moves) {
    const std::atomic<bool> goesOn = false;
    for (tune::CandidateStep& step : tune::pipelineSteps(bench_.navigation().history(), bench_.navigation().current(),
                                                         bench_.documents().environment(), goesOn)) {
      if (step.moves == moves) return Proposal{std::move(step)};
    }
    return std::nullopt;
  }
};

TEST_F(EndOfTensorCoreLesson, ApplyApplyApplyIsFasterEachTime) {
  if (!std::filesystem::exists(program())) GTEST_SKIP() << "the program isn't built";
  if (bench_.compilations().hasNoCompiler()) GTEST_SKIP() << "no compiler here";
  ASSERT_EQ(model()->basis, ModelBasis::kMachineCode);
  if (model()->sassProblem) GTEST_SKIP() << model()->sassProblem->message.english();
  exec::Options sample;
  sample.budget = 1;
  auto checker = exec::Checker::create(bench_.navigation().history().node(0).state.module().functions.front(), sample);
  ASSERT_TRUE(checker);
  using enum tune::PipelineMove;
  // The search is run for the first, the others are known: it takes half a minute of a core each time.
  const std::pair<const char*, std::vector<tune::PipelineMove>> ladder[] = {
      {"turns", {Overlap}}, {"registers", {Asynchronous}}, {"ring", {Slot, Order, Unroll}}};
  double time = model()->estimate()->microseconds;
  for (const auto& [subject, moves] : ladder) {
    ASSERT_NE(advice(), nullptr);
    EXPECT_EQ(advice()->subject, subject);
    const auto proposal = moves.front() == Overlap ? searched() : stepWith(moves);
    ASSERT_TRUE(proposal) << "against " << subject;
    EXPECT_EQ(proposal->step.moves, moves);
    const int before = bench_.navigation().current();
    ASSERT_FALSE(bench_.edits().apply(*proposal).refusal);
    const int after = bench_.navigation().current();
    bench_.edits().undo();
    EXPECT_EQ(bench_.navigation().current(), before) << "one action";
    bench_.edits().redo();
    ASSERT_EQ(bench_.navigation().current(), after);
    ASSERT_TRUE(wait([&] { return model() != nullptr && bench_.models().isFinal(after); }));
    const double faster = model()->estimate()->microseconds;
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

}  // namespace
}  // namespace loom::session::pipeline_proposals_test
