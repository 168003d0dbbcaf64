// Arithmetic at the ends of int64.
#include <gtest/gtest.h>

#include <array>
#include <limits>

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

TEST(IntMath, SaysWhatLiesOutsideWhateverTheNumbers) {
  EXPECT_FALSE(addOverflows(kMost - 1, 1, kLeast, kMost));
  EXPECT_TRUE(addOverflows(kMost, 1, kLeast, kMost));
  EXPECT_TRUE(addOverflows(kLeast, -1, kLeast, kMost));
  EXPECT_TRUE(addOverflows(-100, 1, -10, 10)) << "of a number outside";
  EXPECT_FALSE(addOverflows(-11, 1, -10, 10));
  EXPECT_FALSE(mulOverflows(5, -1, kLeast, kMost));
  EXPECT_TRUE(mulOverflows(kLeast, -1, kLeast, kMost));
  EXPECT_TRUE(mulOverflows(-1, kLeast, kLeast, kMost));
  EXPECT_FALSE(mulOverflows(kLeast, 1, kLeast, kMost));
  EXPECT_TRUE(mulOverflows(3, -4, -10, 10));
  EXPECT_FALSE(mulOverflows(-5, 2, -10, 10));
}

TEST(IntMath, CoefficientsMakeTheDivisor) {
  const std::int64_t big = std::int64_t(1) << 40;
  for (const auto& [a, b] :
       {std::pair(big + 1, 2 * big - 1), std::pair(kMost, kMost - 1), std::pair(kLeast + 1, big),
        std::pair(std::int64_t(-6), std::int64_t(4)), std::pair(std::int64_t(7), std::int64_t(0))}) {
    const BezoutResult r = bezout(a, b);
    const auto made = std::uint64_t(a) * std::uint64_t(r.x) + std::uint64_t(b) * std::uint64_t(r.y);
    EXPECT_EQ(std::int64_t(made), r.gcd) << a << ", " << b;
    EXPECT_EQ(std::abs(r.gcd), zeroAwareGcd(a, b)) << a << ", " << b;
  }
  EXPECT_EQ(leastCommonMultiple(6, 4), 12);
  EXPECT_EQ(leastCommonMultiple(-6, 4), -12);
}

}  // namespace
}  // namespace loom::arith
