// Layouts that are found for tables of points.
#include "core/layout/fit.h"

#include <gtest/gtest.h>

namespace loom::layout::fit_test {
namespace {

TEST(FitDigits, ATableOfPointsIsALayout) {
  const auto fitted = fitDigits({{"a", 2}, {"b", 2}}, {{"c", 4}}, {{0}, {2}, {1}, {3}});
  ASSERT_TRUE(fitted) << fitted.error().message.english();
  EXPECT_EQ(fitted->apply({1, 1}).value(), (Point{3}));
}

TEST(FitDigits, RefusesExtentsThatAreNoPowersOfTwo) {
  const auto none = fitDigits({{"a", 2}, {"b", 0}}, {{"c", 4}}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message.english(), "0 is no power of two");
  EXPECT_EQ(fitDigits({{"a", 3}}, {{"c", 4}}, {{0}, {1}, {2}}).error().code, "LayoutError");
}

}  // namespace
}  // namespace loom::layout::fit_test
