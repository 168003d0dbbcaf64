#include "core/model/mark_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace loom::model::mark_set_test {
namespace {

std::vector<std::int64_t> numbersOf(const MarkSet& set) {
  std::vector<std::int64_t> all;
  set.forEach([&](std::int64_t n) { all.push_back(n); });
  return all;
}

// Against sums made one by one, of even steps (which are doubled) and of any, and of rows that overlap.
TEST(MarkSet, HoldsTheSumsOfOneNumberOfEachTable) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return std::int64_t(random() % unsigned(n)); };
  for (int round = 0; round < 200; ++round) {
    MarkSet marks = MarkSet::ofZero();
    std::set<std::int64_t> sums{0};
    for (int tables = 0; tables < 3; ++tables) {
      std::vector<std::int64_t> offsets{0};
      const std::int64_t step = 1 + below(150), size = 1 + below(20), kind = below(3);
      for (std::int64_t n = 1; n < size; ++n)
        offsets.push_back(kind == 0 ? n * step : kind == 1 ? offsets.back() + 1 + below(90) : n / 4 * 3 + n % 4);
      if (kind == 2) offsets.push_back(offsets.back() + size);  // the greatest is the last
      marks.addEach(offsets);
      std::set<std::int64_t> next;
      for (const std::int64_t sum : sums)
        for (const std::int64_t offset : offsets) next.insert(sum + offset);
      sums = std::move(next);
    }
    ASSERT_EQ(numbersOf(marks), std::vector<std::int64_t>(sums.begin(), sums.end())) << "round " << round;
    ASSERT_EQ(marks.count(), std::int64_t(sums.size()));
  }
}

TEST(MarkSet, OfNothingHasNoSums) {
  MarkSet none;
  none.addEach({0, 1, 2, 3});
  none.addEach({0, 5, 7});
  EXPECT_EQ(none.count(), 0);
  EXPECT_TRUE(numbersOf(none).empty());
}

TEST(DistinctValues, AreInOrderHoweverFarApart) {
  std::mt19937 random(3);
  for (const std::int64_t spread : {1, 10, 5000, 1000000000})
    for (const int count : {0, 1, 2, 50, 700}) {
      std::vector<std::int64_t> values;
      for (int n = 0; n < count; ++n) values.push_back(std::int64_t(random() % unsigned(spread)) - spread / 2);
      const std::set<std::int64_t> expected(values.begin(), values.end());
      EXPECT_EQ(distinctValues(values), std::vector<std::int64_t>(expected.begin(), expected.end()))
          << count << " within " << spread;
    }
}

}  // namespace
}  // namespace loom::model::mark_set_test
