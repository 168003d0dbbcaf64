#include "app/widgets/shared_option.h"

#include <gtest/gtest.h>

namespace loom::panels::shared_option_test {

TEST(SharedOption, TheFirstCallTakesThisPanelsValue) {
  SharedOption<int> option;
  EXPECT_EQ(option.settle(1, 2), 1);
  EXPECT_EQ(option.settle(1, 1), std::nullopt);
}

TEST(SharedOption, TheCopyThatWasChangedLeads) {
  SharedOption<int> option;
  option.settle(1, 1);
  EXPECT_EQ(option.settle(5, 1), 5);
  EXPECT_EQ(option.settle(5, 5), std::nullopt);
  EXPECT_EQ(option.settle(5, 7), 7);
  EXPECT_EQ(option.settle(7, 7), std::nullopt);
}

// A wheel changes a value in every frame: that the other copy took the last one is no change of its own.
TEST(SharedOption, AChangeInTheFrameAfterAChangeCounts) {
  SharedOption<int> option;
  option.settle(1, 1);
  EXPECT_EQ(option.settle(5, 1), 5);
  EXPECT_EQ(option.settle(6, 5), 6);
  EXPECT_EQ(option.settle(7, 6), 7);
  EXPECT_EQ(option.settle(7, 7), std::nullopt);
  EXPECT_EQ(option.settle(7, 8), 8);
  EXPECT_EQ(option.settle(8, 9), 9);
}

TEST(SharedOption, ACopyThatCantTakeTheValueKeepsItsOwn) {
  SharedOption<int> option;
  option.settle(1, 1);
  EXPECT_EQ(option.settle(5, 1), 5);
  EXPECT_EQ(option.settle(5, 1), std::nullopt);
  EXPECT_EQ(option.settle(5, 2), 2);
}

}  // namespace loom::panels::shared_option_test
