#include "core/document/branches.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::branches_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class HistoryRows : public testing::Test {
 protected:
  HistoryRows() { target_ = document::openFunction(tests::programText("plus_one", {{"SHAPE", "(64, 64)"}}), "test"); }

  /// The last state that the lines make of another.
  int apply(int node, const std::string& lines) {
    auto applied = target_->history.apply(node, lines, {&intrinsics_});
    EXPECT_TRUE(applied && !applied->refusal);
    return applied->node;
  }

  static std::vector<int> nodesOf(const std::vector<document::HistoryRow>& rows) {
    std::vector<int> nodes;
    for (const document::HistoryRow& row : rows) nodes.push_back(row.node);
    return nodes;
  }

  intrin::Library intrinsics_;
  Result<document::Target> target_ = fail("None", verbatim("not opened"), Forbids::Input);
};

constexpr const char* kSplitI = "sch.split(sch.get_loops(sch.get_block(\"D\"))[0], [None, 4])";
constexpr const char* kSplitJ = "sch.split(sch.get_loops(sch.get_block(\"D\"))[-1], [None, 8])";

TEST_F(HistoryRows, TheFirstWayGoesStraightOnAndABranchIsOneRow) {
  ASSERT_TRUE(target_);
  const int a = apply(0, kSplitI), b = apply(a, kSplitJ);                         // 0 – a – b
  const int c = apply(0, kSplitJ), d = apply(c, kSplitI), e = apply(d, kSplitJ);  // 0 – c – d – e
  auto rows = document::historyRows(target_->history, {}, b);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, c, a, b));
  EXPECT_TRUE(rows[1].folded);
  EXPECT_EQ(rows[1].states, 3);
  EXPECT_EQ(rows[1].depth, 1);
  EXPECT_EQ(rows[3].depth, 0);
  EXPECT_TRUE(rows[0].onWay && rows[2].onWay && rows[3].onWay);
  EXPECT_FALSE(rows[1].onWay);
  EXPECT_EQ(rows[1].passing, 1U) << "the way passes the branch";
  rows = document::historyRows(target_->history, {{c}, {}}, d);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, c, d, e, a, b));
  EXPECT_TRUE(rows[1].branch && rows[1].onWay && rows[2].onWay);
  EXPECT_FALSE(rows[3].onWay || rows[4].onWay);
  EXPECT_EQ(rows[1].passing, 0U) << "it is the way";
}

TEST_F(HistoryRows, WhatHoldsAStateOpens) {
  ASSERT_TRUE(target_);
  const int a = apply(0, kSplitI), c = apply(0, kSplitJ), d = apply(c, kSplitI);
  document::OpenRows open;
  document::openAround(open, target_->history, a);
  EXPECT_THAT(open.branches, IsEmpty());
  document::openAround(open, target_->history, c);
  EXPECT_THAT(open.branches, IsEmpty()) << "its own row is there";
  document::openAround(open, target_->history, d);
  EXPECT_THAT(open.branches, ElementsAre(c));
}

/// Titles of four steps: two parts of two.
document::FoldTitles twoParts() { return {verbatim("all"), {{verbatim("first"), 2}, {verbatim("second"), 2}}}; }

TEST_F(HistoryRows, WhatWasAppliedAtOnceIsOneRowUntilItOpens) {
  ASSERT_TRUE(target_);
  document::History& history = target_->history;
  const int a = apply(0, kSplitI);
  const std::string four = std::string(kSplitJ) + "\n" + kSplitJ + "\n" + kSplitJ + "\n" + kSplitJ;
  const int e = apply(a, four), b = e - 3, c = e - 2, d = e - 1;
  history.foldSteps(a, e, 4, twoParts());
  ASSERT_EQ(history.folds().size(), 3U);
  EXPECT_THAT(history.foldsAround(d), ElementsAre(0, 2));
  const int f = apply(e, kSplitJ);

  auto rows = document::historyRows(history, {}, f);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, a, e, f));
  EXPECT_EQ(rows[2].fold, 0);
  EXPECT_EQ(rows[2].first, b);
  EXPECT_EQ(rows[2].steps, 4);
  EXPECT_TRUE(rows[2].onWay && !rows[2].open && !rows[2].holdsShown);
  EXPECT_TRUE(document::historyRows(history, {}, c)[2].holdsShown);

  rows = document::historyRows(history, {{}, {0, 2}}, f);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, a, e, c, e, d, e, f)) << "all, first, second with its steps";
  EXPECT_TRUE(rows[2].open && rows[4].open && !rows[3].open);
  EXPECT_EQ(rows[2].level, 0);
  EXPECT_EQ(rows[3].level, 1);
  EXPECT_EQ(rows[5].level, 2);
  EXPECT_EQ(rows[5].fold, -1);
  EXPECT_EQ(rows[7].level, 0);

  document::OpenRows open;
  document::openAround(open, history, e);
  EXPECT_THAT(open.folds, IsEmpty()) << "the title is its row";
  document::openAround(open, history, c);
  EXPECT_THAT(open.folds, ElementsAre(0)) << "the title of its part is its row";
  document::openAround(open, history, d);
  EXPECT_THAT(open.folds, ElementsAre(0, 2));
}

TEST_F(HistoryRows, BranchesOffAFoldStandBelowItsTitle) {
  ASSERT_TRUE(target_);
  document::History& history = target_->history;
  const int b = apply(0, std::string(kSplitI) + "\n" + kSplitJ), a = b - 1;
  history.foldSteps(0, b, 2, {verbatim("all"), {}});
  const int c = apply(a, kSplitI), d = apply(0, std::string(kSplitJ) + "\n" + kSplitI);
  history.foldSteps(0, d, 2, {verbatim("other"), {}});
  auto rows = document::historyRows(history, {}, b);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, d, b, c));
  EXPECT_TRUE(rows[1].branch && rows[1].folded && rows[1].fold == 1 && rows[1].first == d - 1);
  EXPECT_TRUE(rows[3].branch && !rows[3].folded);
  rows = document::historyRows(history, {{d - 1}, {1}}, d);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, d, d - 1, d, b, c));
  EXPECT_TRUE(rows[1].branch && rows[1].open && !rows[2].branch);
}

TEST_F(HistoryRows, OnlyNewStatesComeUnderATitleAndDeletedOnesLeaveIt) {
  ASSERT_TRUE(target_);
  document::History& history = target_->history;
  const std::string two = std::string(kSplitI) + "\n" + kSplitJ;
  const int b = apply(0, two);
  history.foldSteps(0, b, 2, {verbatim("two"), {}});
  const int d = apply(0, two + "\n" + kSplitJ + "\n" + kSplitI);  // the first two are there
  history.foldSteps(0, d, 2, {verbatim("rest"), {{verbatim("part"), 3}}});
  EXPECT_THAT(history.foldsAround(b), ElementsAre(0));
  EXPECT_THAT(history.foldsAround(d), ElementsAre(1));
  history.foldSteps(b, d, 1, {verbatim("one"), {}});
  history.foldSteps(b, d, 2, {});
  EXPECT_EQ(history.folds().size(), 2U) << "one step needs no title, and without one there is none";
  history.remove(d);
  const auto rows = document::historyRows(history, {}, b);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, b, d - 1));
  EXPECT_EQ(rows[2].steps, 1);
}

TEST_F(HistoryRows, WhatIsDeletedNeitherGoesOnNorCounts) {
  ASSERT_TRUE(target_);
  const int a = apply(0, kSplitI), c = apply(0, kSplitJ), d = apply(c, kSplitI);
  target_->history.remove(d);
  const auto rows = document::historyRows(target_->history, {}, a);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, c, a));
  EXPECT_FALSE(rows[1].folded);
  target_->history.remove(a);
  EXPECT_THAT(nodesOf(document::historyRows(target_->history, {}, c)), ElementsAre(0, c));
}

TEST_F(HistoryRows, EachWayIsInOnePieceAndItsBranchesFollowIt) {
  ASSERT_TRUE(target_);
  const int a = apply(0, kSplitI), b = apply(a, kSplitJ);  // 0 – a – b
  const int c = apply(0, kSplitJ), d = apply(c, kSplitI);  // 0 – c – d
  const int e = apply(a, kSplitI), f = apply(b, kSplitJ);  // a – e; b goes on
  const int g = apply(c, kSplitJ);                         // a branch of a branch
  EXPECT_THAT(document::statesByWay(target_->history), ElementsAre(0, a, b, f, c, d, g, e));
  target_->history.remove(b);
  EXPECT_THAT(document::statesByWay(target_->history), ElementsAre(0, a, e, c, d, g));
}

document::History ofProduct() {
  return document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
}

int splitAt(document::History& history, int from, int factor) {
  const std::string line = "sch.split(sch.get_loops(sch.get_block(\"Z\"))[-1], [None, " + std::to_string(factor) + "])";
  return history.apply(from, line, {})->node;
}

TEST(SameNumber, IsOfStatesOfOtherBranchesThatAreNotHidden) {
  document::History history = ofProduct();
  auto split = [&](int from, int factor) { return splitAt(history, from, factor); };
  const int four = split(0, 4);
  EXPECT_EQ(document::othersOfSameNumber(history, four), 0) << "the only branch";
  const int eight = split(0, 8);
  EXPECT_EQ(document::othersOfSameNumber(history, four), 1);
  EXPECT_EQ(document::othersOfSameNumber(history, eight), 1);
  EXPECT_EQ(document::othersOfSameNumber(history, 0), 0);
  history.remove(eight);
  EXPECT_EQ(document::othersOfSameNumber(history, four), 0);
}

TEST(FirstOfBranch, IsWhereTheWayLeavesTheFirstChild) {
  document::History history = ofProduct();
  const int trunk = splitAt(history, 0, 16), on = splitAt(history, trunk, 4);
  const int branch = splitAt(history, 0, 8), below = splitAt(history, branch, 2);
  const int inner = splitAt(history, branch, 4);
  EXPECT_EQ(document::firstOfBranch(history, 0), -1);
  EXPECT_EQ(document::firstOfBranch(history, on), -1);
  EXPECT_EQ(document::firstOfBranch(history, branch), branch);
  EXPECT_EQ(document::firstOfBranch(history, below), branch);
  EXPECT_EQ(document::firstOfBranch(history, inner), inner) << "the closest one";
  history.remove(trunk);
  EXPECT_EQ(document::firstOfBranch(history, below), -1) << "the only way that is left";
}

}  // namespace
}  // namespace loom::session::branches_test
