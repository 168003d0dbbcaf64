#include "core/document/same_number.h"

#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/target.h"

namespace loom::session {
namespace {

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
