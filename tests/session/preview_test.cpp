#include "app/session/preview.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/panels/code/view/code.h"
#include "app/panels/view/view_makers.h"
#include "core/document/target.h"
#include "core/tune/candidate_steps.h"
#include "tests/session/with_workbench.h"

namespace loom::session::preview_test {
namespace {

const std::string kSplit = splitBy(4);

TEST(PreviewInput, HasWhatTheStepWouldMake) {
  const document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  auto next = previewInput(programInput(history, 0), history.nextUid(), kSplit, {});
  ASSERT_TRUE(next);
  const auto made = programOf(*next, viewMakers());
  const std::vector<NestRow>& rows = nestOf(*made).rows;
  auto row = std::find_if(rows.begin(), rows.end(), [](const NestRow& r) { return r.name == "k_1"; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->change, NestChange::kNew);
  EXPECT_EQ(row->extent, 4);
  ASSERT_EQ(row->from.size(), 1U);
  EXPECT_EQ(row->from[0].results, (std::vector<std::int64_t>{8, 4}));
  EXPECT_EQ(textsOf(*made).scriptDiff.added + textsOf(*made).scriptDiff.changed, 3) << "two loops and the axis of k";
}

TEST(PreviewInput, IdsAreThoseThatTheHistoryWouldGive) {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  auto next = previewInput(programInput(history, 0), history.nextUid(), kSplit, {});
  ASSERT_TRUE(next);
  auto applied = history.apply(0, kSplit, {});
  ASSERT_TRUE(applied && !applied->refusal);
  std::vector<ir::Id> previewed, real;
  for (const auto& node : next->states.path.back().tree().nodes()) previewed.push_back(node.id);
  for (const auto& node : history.node(applied->node).state.tree().nodes()) real.push_back(node.id);
  EXPECT_EQ(previewed, real);
}

TEST(PreviewInput, RefusalsAreThoseOfTheEngine) {
  const document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  const ProgramInput input = programInput(history, 0);
  auto refused = previewInput(input, history.nextUid(), "sch.vectorize(sch.get_loops(sch.get_block(\"Z\"))[2])", {});
  ASSERT_FALSE(refused);
  EXPECT_FALSE(refused.error().message.english().empty());
  EXPECT_EQ(previewInput(input, history.nextUid(), "sch.split(", {}).error().code, "ParseError");
  EXPECT_EQ(previewInput(input, history.nextUid(), "", {}).error().code, "ParseError");
}

class PreviewOfWorkbench : public WithWorkbench {
 protected:
  PreviewOfWorkbench() : WithWorkbench({64, 48, 32}, 20000) {}
};

TEST_F(PreviewOfWorkbench, EndsWithoutATrace) {
  ASSERT_NE(bench_.documents().target(), nullptr);
  bench_.preview().show(kSplit);
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->program != nullptr; }));
  EXPECT_EQ(bench_.preview().shown(), bench_.preview().step()->program);
  EXPECT_EQ(bench_.preview().step()->step(), "k0, k1 = sch.split(k, [None, 4])");
  bench_.preview().end();
  EXPECT_EQ(bench_.preview().step(), nullptr);
  EXPECT_EQ(bench_.preview().shown(), bench_.programs().of(0));
  EXPECT_EQ(bench_.navigation().history().nodes().size(), 1U);
  EXPECT_FALSE(bench_.edits().undoable());
  EXPECT_FALSE(bench_.documents().isModified());
  EXPECT_TRUE(bench_.problems().all().empty());
}

TEST_F(PreviewOfWorkbench, AppliedItIsAStepLikeAnyOther) {
  bench_.preview().show(kSplit);
  EXPECT_EQ(bench_.edits().applyPreview().made, 1);
  EXPECT_EQ(bench_.navigation().node().number, 1);
  EXPECT_EQ(bench_.preview().step(), nullptr);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), 0);
}

TEST_F(PreviewOfWorkbench, LatestWins) {
  bench_.preview().show(kSplit);
  bench_.preview().show("sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[2])");
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->program != nullptr; }));
  for (int i = 0; i < 20; ++i) {
    bench_.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_NE(bench_.preview().shown()->script->text.find("T.unroll(32)"), std::string::npos);
}

TEST_F(PreviewOfWorkbench, RefusedStepShowsTheStateAndSaysWhy) {
  bench_.preview().show("sch.vectorize(sch.get_loops(sch.get_block(\"Z\"))[2])");
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->refusal.has_value(); }));
  EXPECT_EQ(bench_.preview().shown(), bench_.programs().of(0));
  EXPECT_TRUE(bench_.problems().all().empty()) << "nothing was applied";
}

TEST_F(PreviewOfWorkbench, GoingElsewhereEndsIt) {
  bench_.edits().apply(kSplit);
  bench_.preview().show("sch.unroll(k1)");
  bench_.navigation().select(0);
  EXPECT_EQ(bench_.preview().step(), nullptr);
}

// A grid of 48 blocks does in less than a tenth of the time what one thread did.
TEST_F(PreviewOfWorkbench, PredictsTheTimes) {
  bench_.edits().apply("i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.bind(i, \"threadIdx.x\")");
  bench_.preview().show("sch.bind(j, \"blockIdx.x\")");
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->effect.has_value(); }));
  EXPECT_LT(bench_.preview().step()->effect->after, bench_.preview().step()->effect->before / 10);
  EXPECT_GT(bench_.preview().step()->effect->after, 0);
}

// Four and eight pieces of k: the loops are the same loops, with other extents, and what follows the edit comes again.
TEST_F(PreviewOfWorkbench, EditOfThePastIsToldAgainstTheCurrentState) {
  const std::string unrolled = "sch.unroll(k1)";
  bench_.edits().apply(kSplit);
  bench_.edits().apply(unrolled);
  const int current = bench_.navigation().current();
  tune::CandidateStep step;
  step.at = 0;
  step.edited = 1;
  step.step = "k0, k1 = sch.split(k, [None, 8])";
  step.lines = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n" + step.step + "\n" + unrolled;
  bench_.preview().show(step);
  ASSERT_TRUE(wait([&] { return bench_.preview().step()->program != nullptr; }));
  EXPECT_EQ(bench_.preview().step()->step(), step.step);
  const schedule::Changes& changes = bench_.preview().step()->changes;
  EXPECT_TRUE(changes.added.empty() && changes.removed.empty());
  EXPECT_EQ(changes.altered().size(), 3U) << "k_0, k_1 and the block, whose axis is of both";
  int modified = 0;
  for (const NestRow& row : nestOf(*bench_.preview().shown()).rows) modified += row.change != NestChange::kNone ? 1 : 0;
  EXPECT_EQ(modified, 2) << "the block's name, extent and axis are as before";
  EXPECT_EQ(bench_.navigation().current(), current);
  EXPECT_EQ(bench_.navigation().history().nodes().size(), 3U);
  bench_.edits().applyPreview();
  EXPECT_EQ(bench_.navigation().history().nodes().size(), 5U) << "a branch with both steps";
  EXPECT_EQ(bench_.navigation().node().number, 2);
  EXPECT_NE(bench_.navigation().node().script->text.find("T.unroll(8)"), std::string::npos);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), current);
}

}  // namespace
}  // namespace loom::session::preview_test
