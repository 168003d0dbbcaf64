#include "core/document/branches.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "core/intrin/intrinsic.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session {
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
  rows = document::historyRows(target_->history, {c}, d);
  ASSERT_THAT(nodesOf(rows), ElementsAre(0, c, d, e, a, b));
  EXPECT_TRUE(rows[1].branch && rows[1].onWay && rows[2].onWay);
  EXPECT_FALSE(rows[3].onWay || rows[4].onWay);
  EXPECT_EQ(rows[1].passing, 0U) << "it is the way";
}

TEST_F(HistoryRows, WhatHoldsAStateIsFound) {
  ASSERT_TRUE(target_);
  const int a = apply(0, kSplitI), c = apply(0, kSplitJ), d = apply(c, kSplitI);
  EXPECT_THAT(document::branchesAround(target_->history, a), IsEmpty());
  EXPECT_THAT(document::branchesAround(target_->history, c), IsEmpty()) << "its own row is there";
  EXPECT_THAT(document::branchesAround(target_->history, d), ElementsAre(c));
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
}  // namespace loom::session
