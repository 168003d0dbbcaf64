#include "app/workbench/same_number.h"

#include <gtest/gtest.h>

#include "app/workbench/matmul_function.h"
#include "core/document/target.h"

namespace loom::workbench {
namespace {

TEST(SameNumber, IsOfStatesOfOtherBranchesThatAreNotHidden) {
  document::History history = document::openFunction(*matmulFunction({64, 48, 32}), "matmul")->history;
  auto split = [&](int from, int factor) {
    return history
        .apply(from,
               "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.split(k, [None, " + std::to_string(factor) + "])",
               {})
        ->node;
  };
  const int four = split(0, 4);
  EXPECT_EQ(othersOfSameNumber(history, four), 0) << "the only branch";
  const int eight = split(0, 8);
  EXPECT_EQ(othersOfSameNumber(history, four), 1);
  EXPECT_EQ(othersOfSameNumber(history, eight), 1);
  EXPECT_EQ(othersOfSameNumber(history, 0), 0);
  history.remove(eight);
  EXPECT_EQ(othersOfSameNumber(history, four), 0);
}

}  // namespace
}  // namespace loom::workbench
