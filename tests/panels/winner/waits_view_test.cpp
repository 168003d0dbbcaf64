#include "app/panels/winner/view/waits.h"

#include <gmock/gmock.h>

#include "core/profile/profile_file.h"

namespace loom::session::waits_view_test {
namespace {

using profile::StallReason;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

// A state of several kernels, whose samples count together.
SampledWarps sampled(std::initializer_list<std::pair<StallReason, int>> counts) {
  profile::StateProfile state;
  for (const auto& [reason, count] : counts) {
    profile::InstructionStalls instruction;
    instruction.stalls.add(reason, count, 0);
    state.kernels.push_back({"kernel", {instruction}});
  }
  return {state.total(), std::nullopt};
}

TEST(Waits, StandSideBySideTheLargestShareFirst) {
  const SampledWarps before = sampled({{StallReason::kBarrier, 30}, {StallReason::kSelected, 70}});
  const SampledWarps after = sampled({{StallReason::kLongScoreboard, 97}, {StallReason::kBarrier, 3}});
  const auto rows = waitsOf({&before, nullptr, &after});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].reason, StallReason::kLongScoreboard);
  EXPECT_THAT(rows[0].shares, ElementsAre(Optional(0.0), std::nullopt, Optional(0.97)));
  EXPECT_EQ(rows[1].reason, StallReason::kSelected);
  EXPECT_EQ(rows[2].reason, StallReason::kBarrier);
  EXPECT_THAT(rows[2].shares, ElementsAre(Optional(0.3), std::nullopt, Optional(0.03)));
}

TEST(Waits, ReasonsOfFewSamplesAreLeftOut) {
  const SampledWarps one = sampled({{StallReason::kBarrier, 3}, {StallReason::kWait, 97}});
  EXPECT_EQ(waitsOf({&one}).size(), 1U);
  const SampledWarps none = sampled({});
  EXPECT_THAT(waitsOf({nullptr, &none}), IsEmpty());
}

TEST(Waits, MeasuredTimesAreDividedBetweenThem) {
  SampledWarps before = sampled({{StallReason::kBarrier, 1}, {StallReason::kWait, 3}});
  SampledWarps after = sampled({{StallReason::kWait, 5}});
  EXPECT_THAT(timesOf({{&before, 10}, {&after, 6}}), IsEmpty()) << "clocks aren't known";
  before.occupied = 0.8, after.occupied = 0.5;
  const auto rows = timesOf({{&before, 10}, {nullptr, 3}, {&after, 6}});
  ASSERT_FALSE(rows.empty());
  EXPECT_FALSE(rows[0].reason);
  EXPECT_THAT(rows[0].microseconds, ElementsAre(Optional(DoubleNear(2, 1e-9)), std::nullopt, Optional(3.0)));
  double first = 0, last = 0;
  for (const TimeRow& row : rows) {
    first += *row.microseconds[0], last += *row.microseconds[2];
    if (row.reason == StallReason::kBarrier) {
      EXPECT_THAT(row.microseconds[0], Optional(DoubleNear(2, 1e-9)));
    }
    if (row.reason == StallReason::kWait) {
      EXPECT_THAT(row.microseconds[2], Optional(DoubleNear(3, 1e-9)));
    }
  }
  EXPECT_NEAR(first, 10, 1e-9);
  EXPECT_NEAR(last, 6, 1e-9);
  EXPECT_THAT(timesOf({{&before, 10}, {&after, std::nullopt}}), IsEmpty()) << "not measured";
}

TEST(Waits, ThoseThatMovedMostAreTold) {
  const SampledWarps before =
      sampled({{StallReason::kBarrier, 30}, {StallReason::kWait, 10}, {StallReason::kLongScoreboard, 60}});
  const SampledWarps after =
      sampled({{StallReason::kBarrier, 5}, {StallReason::kWait, 12}, {StallReason::kLongScoreboard, 83}});
  const auto rows = movedWaits(&before, &after);
  ASSERT_EQ(rows.size(), 2U);  // two percent more that wait are no news
  EXPECT_EQ(rows[0].reason, StallReason::kBarrier);
  EXPECT_THAT(rows[0].shares, ElementsAre(Optional(0.3), Optional(0.05)));
  EXPECT_EQ(rows[1].reason, StallReason::kLongScoreboard);
  EXPECT_THAT(movedWaits(&before, nullptr), IsEmpty());
}

}  // namespace
}  // namespace loom::session::waits_view_test
