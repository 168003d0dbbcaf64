#include "app/panels/winner/view/waits.h"

#include <gmock/gmock.h>

#include "core/profile/profile_file.h"

namespace loom::session::waits_view_test {
namespace {

using profile::StallCount;
using profile::StallReason;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

// A state of several kernels, whose samples count together.
StallCount sampled(std::initializer_list<std::pair<StallReason, int>> counts) {
  profile::StateProfile state;
  for (const auto& [reason, count] : counts) {
    profile::InstructionStalls instruction;
    instruction.stalls.add(reason, count, 0);
    state.kernels.push_back({"kernel", {instruction}});
  }
  return state.total();
}

TEST(Waits, StandSideBySideTheLargestShareFirst) {
  const StallCount before = sampled({{StallReason::kBarrier, 30}, {StallReason::kSelected, 70}});
  const StallCount after = sampled({{StallReason::kLongScoreboard, 97}, {StallReason::kBarrier, 3}});
  const auto rows = waitsOf({&before, nullptr, &after});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].reason, StallReason::kLongScoreboard);
  EXPECT_THAT(rows[0].shares, ElementsAre(Optional(0.0), std::nullopt, Optional(0.97)));
  EXPECT_EQ(rows[1].reason, StallReason::kSelected);
  EXPECT_EQ(rows[2].reason, StallReason::kBarrier);
  EXPECT_THAT(rows[2].shares, ElementsAre(Optional(0.3), std::nullopt, Optional(0.03)));
}

TEST(Waits, ReasonsOfFewSamplesAreLeftOut) {
  const StallCount one = sampled({{StallReason::kBarrier, 3}, {StallReason::kWait, 97}});
  EXPECT_EQ(waitsOf({&one}).size(), 1U);
  const StallCount none = sampled({});
  EXPECT_THAT(waitsOf({nullptr, &none}), IsEmpty());
}

TEST(Waits, ThoseThatMovedMostAreTold) {
  const StallCount before =
      sampled({{StallReason::kBarrier, 30}, {StallReason::kWait, 10}, {StallReason::kLongScoreboard, 60}});
  const StallCount after =
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
