#include "core/tune/loop_chain.h"

#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::loop_chain_test {
namespace {

class Chain : public testing::Test {
 protected:
  Chain() : history_(document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history) {}
  ir::Id id(const std::string& name, int node = 0) {
    for (const tune::NamedNode& n : tune::namedNodes(history_.node(node).state)) {
      if (n.name == name) return n.id;
    }
    return {};
  }
  std::string drop(const char* dragged, const char* target, tune::DropEdge edge) {
    const auto form = tune::dropStep(history_.node(0).state, id(dragged), id(target), edge);
    if (!form) return "";
    const std::string lines = tune::stepLines(history_, 0, *form).value_or("?");
    return lines.substr(lines.rfind('\n') + 1);
  }
  document::History history_;
};

TEST_F(Chain, IsTheLoopsThatStandInOneAnother) {
  EXPECT_EQ(tune::chainOf(history_.node(0).state, id("j")), (std::vector<ir::Id>{id("i"), id("j"), id("k")}));
  EXPECT_TRUE(tune::chainOf(history_.node(0).state, id("Z")).empty()) << "a block";
  EXPECT_TRUE(tune::chainOf(history_.node(0).state, ir::Id{99, 1}).empty());
}

TEST_F(Chain, EndsWhereALoopHasMoreThanOneInside) {
  ASSERT_TRUE(history_.apply(0, tests::scheduleText("x_in_shared_at_j"), {}));
  EXPECT_EQ(tune::chainOf(history_.node(2).state, id("k", 2)).size(), 1U);
  EXPECT_EQ(tune::chainOf(history_.node(2).state, id("j", 2)).size(), 2U);
}

TEST_F(Chain, DropBeforeAndAfterReordersAllBetween) {
  EXPECT_EQ(drop("k", "i", tune::DropEdge::kBefore), "sch.reorder(k, i, j)");
  EXPECT_EQ(drop("k", "i", tune::DropEdge::kAfter), "sch.reorder(k, j)");
  EXPECT_EQ(drop("i", "k", tune::DropEdge::kAfter), "sch.reorder(j, k, i)");
  EXPECT_EQ(drop("i", "k", tune::DropEdge::kBefore), "sch.reorder(j, i)");
}

TEST_F(Chain, DropOntoANeighbourFuses) {
  EXPECT_EQ(drop("j", "i", tune::DropEdge::kOnto), "fused = sch.fuse(i, j)");
  EXPECT_EQ(drop("i", "j", tune::DropEdge::kOnto), "fused = sch.fuse(i, j)");
}

TEST_F(Chain, DropWhereItStandsIsNoStep) {
  EXPECT_EQ(drop("j", "i", tune::DropEdge::kAfter), "");
  EXPECT_EQ(drop("j", "k", tune::DropEdge::kBefore), "");
  EXPECT_EQ(drop("j", "j", tune::DropEdge::kOnto), "");
  EXPECT_EQ(drop("j", "Z", tune::DropEdge::kAfter), "") << "a block is no place for a loop";
}

}  // namespace
}  // namespace loom::session::loop_chain_test
