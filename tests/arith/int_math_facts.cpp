// Divisions of the numbers at the ends of int64.
#include <gtest/gtest.h>

#include <array>

#include "core/arith/int_math.h"

namespace loom::arith {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(),
                       kMost = std::numeric_limits<std::int64_t>::max();

TEST(IntMath, TheLeastNumberDividedByMinusOneWraps) {
  EXPECT_EQ(truncDiv(kLeast, -1), kLeast);
  EXPECT_EQ(truncMod(kLeast, -1), 0);
  EXPECT_EQ(floorDiv(kLeast, -1), kLeast);
  EXPECT_EQ(floorMod(kLeast, -1), 0);
  EXPECT_EQ(floorDiv(kMost, -1), -kMost);
  EXPECT_EQ(floorDiv(kLeast + 1, -1), kMost);
}

// quotient * divisor + rest is the number, in the arithmetic that wraps, and the rest lies on its side of 0.
TEST(IntMath, QuotientAndRestMakeTheNumber) {
  const std::array numbers{kLeast,           kLeast + 1,      std::int64_t(-7),
                           std::int64_t(-1), std::int64_t(0), std::int64_t(1),
                           std::int64_t(7),  kMost - 1,       kMost};
  const auto made = [](std::int64_t q, std::int64_t y, std::int64_t r) {
    return std::int64_t(std::uint64_t(q) * std::uint64_t(y) + std::uint64_t(r));
  };
  for (const std::int64_t x : numbers) {
    for (const std::int64_t y : numbers) {
      if (y == 0) continue;
      EXPECT_EQ(made(truncDiv(x, y), y, truncMod(x, y)), x) << x << " by " << y;
      EXPECT_EQ(made(floorDiv(x, y), y, floorMod(x, y)), x) << x << " by " << y;
      EXPECT_TRUE(truncMod(x, y) == 0 || (truncMod(x, y) < 0) == (x < 0)) << x << " by " << y;
      EXPECT_TRUE(floorMod(x, y) == 0 || (floorMod(x, y) < 0) == (y < 0)) << x << " by " << y;
    }
  }
}

}  // namespace
}  // namespace loom::arith
