#include "app/session/proposals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/session/predicted_time.h"
#include "core/tune/split_variants.h"
#include "tests/model/programs.h"
#include "tests/session/with_workbench.h"

namespace loom::session::proposals_test {
namespace {

using Factors = std::vector<std::vector<std::int64_t>>;

const std::atomic<bool> kGoesOn = false;

std::vector<tune::CandidateStep> stepsAt(const document::History& history, int node,
                                         std::array<std::int64_t, 3> threads) {
  return tune::candidateSteps(history, node, document::environment(), threads, kGoesOn);
}

std::string linesOf(const std::vector<tune::CandidateStep>& steps) {
  std::string all;
  for (const tune::CandidateStep& step : steps) all += step.lines + "\n\n";
  return all;
}

TEST(FactorsNearby, MoveAFactorOfTwo) {
  EXPECT_EQ(tune::factorsNearby({8, 3}), (Factors{{4, 6}}));
  EXPECT_EQ(tune::factorsNearby({0, 16}), (Factors{{0, 8}, {0, 32}})) << "0: the open one";
  EXPECT_EQ(tune::factorsNearby({4, 2, 1}), (Factors{{2, 2, 2}, {2, 4, 1}, {4, 1, 2}, {8, 1, 1}}));
}

TEST(TriedSteps, AreTakenByTheEngineAndAlwaysTheSame) {
  const auto target = document::scheduled(document::kBound);
  const int node = int(target.history.nodes().size()) - 1;
  const auto steps = stepsAt(target.history, node, {32, 1, 1});
  EXPECT_GT(steps.size(), 30U);
  EXPECT_EQ(linesOf(steps), linesOf(stepsAt(target.history, node, {32, 1, 1})));
  for (const tune::CandidateStep& step : steps) {
    document::History history = target.history;
    const auto applied = history.apply(step.at, step.lines, document::environment());
    ASSERT_TRUE(applied && !applied->refusal) << step.lines;
    const auto made = document::makeKernel(history.node(applied->node).state), known = document::makeKernel(step.state);
    EXPECT_EQ(made.key, known.key) << step.lines;
  }
}

// `i` is bound to blockIdx.x in part: another part of it bound there, too, would do a diagonal of the work.
TEST(TriedSteps, BindNoStatementTwiceToOneAxis) {
  const auto target = document::scheduled(document::kBound);
  const int node = int(target.history.nodes().size()) - 1;
  for (const tune::CandidateStep& step : stepsAt(target.history, node, {32, 1, 1})) {
    if (step.edited >= 0 || step.step.find("\"blockIdx.x\"") == std::string::npos) continue;
    EXPECT_NE(step.step.find("sch.bind(i_0, \"blockIdx.x\")"), std::string::npos) << "as it is: " << step.step;
  }
}

TEST(TriedSteps, AnotherFactorOfThePastIsAppliedWithAllThatFollows) {
  const auto target = document::scheduled(document::kBound);
  const int node = int(target.history.nodes().size()) - 1;
  std::vector<std::string> edits;
  for (const tune::CandidateStep& step : stepsAt(target.history, node, {32, 1, 1}))
    if (step.edited >= 0) edits.push_back(step.lines);
  ASSERT_EQ(edits.size(), 2U);
  EXPECT_NE(edits[0].find("i0, i1 = sch.split(i, [None, 4])\nsch.bind(i0, \"blockIdx.x\")"), std::string::npos);
  EXPECT_NE(edits[1].find("[None, 16]"), std::string::npos);
}

TEST(Helps, AreOfTheKindAndThePlaceOfWhatIsFound) {
  const auto target = document::scheduled(document::kBound);
  tune::CandidateStep step{
      0, -1, "", "sch.storage_align(…)", {"storage_align"}, {"A_shared"}, target.history.node(0).state, 1, 1, false};
  model::Advice conflicts;
  conflicts.code = "bank_conflicts";
  conflicts.subject = "A_shared";
  EXPECT_TRUE(couldHelp(step, conflicts));
  conflicts.subject = "B_shared";
  EXPECT_FALSE(couldHelp(step, conflicts));
  model::Advice repeated;
  repeated.code = "repeated_work";
  repeated.block = "A_shared";
  EXPECT_FALSE(couldHelp(step, repeated)) << "which only a binding could help against";
  step.primitives = {"fuse", "split", "bind"};
  EXPECT_TRUE(couldHelp(step, repeated));
  model::Advice few;
  few.code = "few_blocks";
  few.numbers["blocks"] = 4;
  EXPECT_FALSE(couldHelp(step, few));
  step.grid = 8;
  EXPECT_TRUE(couldHelp(step, few));
}

// A search over the small product with times that a test makes up.
struct Searched : testing::Test {
  Searched() : target(document::scheduled(document::kBound)) {
    search.node = int(target.history.nodes().size()) - 1;
    search.isRight = [](const schedule::State&) { return true; };
    // A longer text is faster.
    search.written = [](const document::KernelText& kernel) { return 1e6 / double(kernel.source.text.size()); };
  }
  Proposals run() { return searchProposals(search, document::environment(), kGoesOn); }

  document::Target target;
  ProposalQuery search{target.history};
};

TEST_F(Searched, TheFastestStandFirstAndAreFaster) {
  const Proposals made = run();
  ASSERT_TRUE(made.done);
  ASSERT_FALSE(made.offered.empty());
  EXPECT_LE(made.best.size(), 3U);
  EXPECT_GT(made.predicted, 10);
  EXPECT_LE(made.predicted, made.steps);
  EXPECT_TRUE(std::is_sorted(made.offered.begin(), made.offered.end(),
                             [](const Proposal& a, const Proposal& b) { return a.after < b.after; }));
  for (const Proposal& p : made.offered) {
    EXPECT_LT(p.after, 0.98 * p.before);
    EXPECT_EQ(p.basis, ModelBasis::kSource);
  }
  EXPECT_EQ(made.offered.front().step.lines, run().offered.front().step.lines);
}

TEST_F(Searched, WhatIsNoFasterIsNotOffered) {
  search.written = [](const document::KernelText&) { return 5.0; };
  const Proposals made = run();
  EXPECT_TRUE(made.done);
  EXPECT_TRUE(made.offered.empty());
  EXPECT_GT(made.predicted, 10);
}

TEST_F(Searched, WhatComputesSomethingElseIsLeftOut) {
  search.isRight = [](const schedule::State&) { return false; };
  const Proposals made = run();
  EXPECT_TRUE(made.offered.empty());
  EXPECT_GT(made.wrong, 0);
}

TEST(SearchedTogether, TwoConflictsTakeTwoPaddings) {
  const std::string path = "tests/oracle/cases/lessons/tensorcore";
  auto target = document::openFunction(model::readText(path + ".func.py"), "tensorcore.py");
  ASSERT_TRUE(target);
  auto applied = target->history.apply(0, model::readText(path + ".sched.py"), document::environment());
  ASSERT_TRUE(applied && !applied->refusal);
  ProposalQuery search{target->history};
  search.node = applied->node;
  for (const char* buffer : {"X_shared", "Y_shared"}) {
    model::Advice conflicts;
    conflicts.code = "bank_conflicts";
    conflicts.subject = buffer;
    search.advice.push_back(conflicts);
  }
  const model::Device h200 = model::deviceNamed("h200");
  search.written = [&](const document::KernelText& kernel) { return predictedTime(kernel, h200); };
  // What else there is to try has no part in it.
  std::atomic<bool> stop = false;
  Proposals made;
  search.tell = [&](const Proposals& p) {
    made = p;
    stop = std::any_of(p.offered.begin(), p.offered.end(), [](const Proposal& o) { return o.step.joint; });
  };
  search.isRight = [](const schedule::State&) { return true; };
  searchProposals(search, document::environment(), stop);
  ASSERT_TRUE(stop);
  const Proposal& both = made.offered.front();
  EXPECT_TRUE(both.step.joint);
  EXPECT_THAT(both.step.blocks, testing::IsSupersetOf({"X_shared", "Y_shared"}));
  for (const AdviceTrial& help : made.trials) {
    ASSERT_GE(help.proposal, 0) << help.against.subject;
    const Proposal& one = made.offered[std::size_t(help.proposal)];
    EXPECT_FALSE(one.step.joint) << "against each its own";
    EXPECT_LT(both.after, 0.9 * one.after);
  }
}

TEST_F(Searched, MachineCodeHasTheLastWord) {
  search.compiledBefore = CompiledTime{100, 32};
  search.compiled = [](const document::KernelText&) { return CompiledTime{120.0, 40}; };
  EXPECT_TRUE(run().offered.empty());
  search.compiled = [](const document::KernelText&) { return CompiledTime{50.0, 40}; };
  const Proposals made = run();
  ASSERT_FALSE(made.offered.empty());
  EXPECT_EQ(made.offered.front().before, 100);
  EXPECT_EQ(made.offered.front().after, 50);
  EXPECT_EQ(made.offered.front().basis, ModelBasis::kMachineCode);
}

TEST_F(Searched, WithoutATimeNothingIsTried) {
  search.written = [](const document::KernelText&) { return std::nullopt; };
  const Proposals made = run();
  EXPECT_TRUE(made.done);
  EXPECT_EQ(made.steps, 0);
}

// An edit's lines may be more than the steps that they stand for, or fewer.
TEST(ReplacedSteps, AreThoseThatAreNotAppliedAgain) {
  const auto target = document::scheduled(document::kBound);
  const document::History& history = target.history;
  const int node = int(history.nodes().size()) - 1;
  std::vector<int> steps;  // on the way, without the start
  std::string all;
  for (const int at : history.path(node)) {
    if (history.node(at).step() == nullptr) continue;
    steps.push_back(at);
    for (const document::Line& line : history.node(at).lines) all += line.source + "\n";
  }
  ASSERT_GE(steps.size(), 2U);
  tune::CandidateStep edit{0, -1, "", "", {}, {}, history.node(node).state};
  edit.edited = steps[0];
  edit.at = history.node(edit.edited).parent;
  edit.step = edit.lines = "sch.first()\nsch.second()\nsch.third()";
  EXPECT_EQ(replacedSteps(history, node, edit), int(steps.size())) << "nothing is left of what stood there";
  edit.lines = edit.step + "\n" + all;
  EXPECT_EQ(replacedSteps(history, node, edit), 1) << "all stay, as they are";
  const std::string& first = history.node(steps[0]).step()->source;
  edit.lines = all.substr(all.find(first) + first.size() + 1) + edit.step;
  EXPECT_EQ(replacedSteps(history, node, edit), 1);
}

class ProposalsOfWorkbench : public WithWorkbench {
 protected:
  ProposalsOfWorkbench() : WithWorkbench({64, 48, 32}, 60000) {}
  std::shared_ptr<const Proposals> made() {
    wait([&] { return bench_.proposals().proposals() && bench_.proposals().proposals()->done; });
    return bench_.proposals().proposals();
  }
};

TEST_F(ProposalsOfWorkbench, OneThreadIsSpreadInOneAction) {
  const auto proposals = made();
  ASSERT_NE(proposals, nullptr);
  ASSERT_TRUE(proposals->done);
  const auto& advice = bench_.models().of(0)->advice;
  ASSERT_FALSE(advice.empty());
  ASSERT_EQ(advice.front().code, "one_thread");
  const AdviceTrial* help = proposals->against(advice.front());
  ASSERT_NE(help, nullptr);
  ASSERT_GE(help->proposal, 0);
  const Proposal proposal = proposals->offered[std::size_t(help->proposal)];
  EXPECT_LT(proposal.after, proposal.before / 10);
  const ApplyOutcome applied = bench_.edits().apply(proposal);
  EXPECT_FALSE(applied.refusal);
  EXPECT_GT(applied.made, 1) << "several steps";
  const auto kernel = document::makeKernel(bench_.navigation().node().state);
  ASSERT_FALSE(kernel.problem);
  EXPECT_GT(kernel.program->kernels.front().threads() * kernel.program->kernels.front().blocks(), 32);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), 0);
  EXPECT_FALSE(bench_.edits().undoable()) << "one action";
}

TEST_F(ProposalsOfWorkbench, AreGivenUpWhenOneLeavesAndKeptWhenDone) {
  ASSERT_NE(made(), nullptr);
  const auto first = made();
  bench_.edits().apply(
      "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.bind(i, \"blockIdx.x\")\nsch.bind(j, \"threadIdx.x\")");
  wait([&] { return bench_.programs().of(bench_.navigation().current()) != nullptr; });
  EXPECT_EQ(bench_.proposals().proposals(), nullptr);
  bench_.navigation().select(0);
  bench_.poll();
  EXPECT_EQ(bench_.proposals().proposals(), first) << "at once";
}

}  // namespace
}  // namespace loom::session::proposals_test
