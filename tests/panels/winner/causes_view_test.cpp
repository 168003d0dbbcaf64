#include "app/panels/winner/view/causes.h"

#include <gmock/gmock.h>

#include "app/panels/winner/words.h"
#include "app/session/state_model.h"
#include "tests/model/programs.h"

namespace loom::session::causes_view_test {
namespace {

using profile::StallReason;
using testing::IsEmpty;
using testing::Optional;

SampledWarps warps(double occupied, std::initializer_list<std::pair<StallReason, int>> counts) {
  SampledWarps warps;
  for (const auto& [reason, count] : counts) warps.stalls.add(reason, count, 0);
  warps.occupied = occupied;
  return warps;
}

// The end of the Tensor Core lesson, or of another case, with more steps.
StateModel modelWith(const std::string& more, const std::string& name = "tensorcore") {
  static const model::Device device = model::deviceNamed("h200");
  const std::string path = "tests/oracle/cases/lessons/" + name;
  const auto text = document::makeKernel(
      model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py") + more).last);
  return stateModelOf(text, {&device, nullptr, nullptr});
}

// 10 µs, of which 2 without warps, 4 at barriers, 4 in fixed waits; then 6 µs: 1, 0 and 5.
TEST(Causes, ArePartsOfTheTimeThatMovedAsTheWholeDid) {
  const SampledWarps before = warps(0.8, {{StallReason::kBarrier, 50}, {StallReason::kWait, 50}});
  const SampledWarps after = warps(5.0 / 6, {{StallReason::kWait, 100}});
  const Causes faster = causesOf({&before, 10}, {&after, 6}, nullptr, nullptr);
  ASSERT_EQ(faster.with.size(), 2U);
  EXPECT_EQ(faster.with[0].time.reason, StallReason::kBarrier);
  EXPECT_EQ(faster.with[1].time.reason, std::nullopt);
  ASSERT_EQ(faster.against.size(), 1U);
  EXPECT_EQ(faster.against[0].time.reason, StallReason::kWait);
  EXPECT_THAT(faster.with[0].figures, IsEmpty()) << "no model";
  const Causes slower = causesOf({&after, 6}, {&before, 10}, nullptr, nullptr);
  ASSERT_EQ(slower.with.size(), 2U);
  EXPECT_EQ(slower.with[0].time.reason, StallReason::kBarrier);
  EXPECT_THAT(slower.with[0].time.microseconds[0], Optional(0.0));
}

// More warps issue less each, and what keeps its share of a longer time is no reason of it.
TEST(Causes, IssuingAndSharesThatStayAccountForNothing) {
  const SampledWarps short_ = warps(0.8, {{StallReason::kWait, 50}, {StallReason::kSelected, 50}});
  const SampledWarps long_ =
      warps(0.8, {{StallReason::kWait, 20}, {StallReason::kSelected, 20}, {StallReason::kBarrier, 60}});
  const Causes slower = causesOf({&short_, 5}, {&long_, 20}, nullptr, nullptr);
  ASSERT_EQ(slower.with.size(), 1U);
  EXPECT_EQ(slower.with[0].time.reason, StallReason::kBarrier);
  EXPECT_THAT(slower.against, IsEmpty());
}

TEST(Causes, NothingIsKnownWithoutSamplesOrTimes) {
  const SampledWarps one = warps(0.8, {{StallReason::kBarrier, 50}});
  SampledWarps unknown = one;
  unknown.occupied.reset();
  for (const Causes& none : {causesOf({&one, 10}, {nullptr, 6}, nullptr, nullptr),
                             causesOf({&one, 10}, {&one, std::nullopt}, nullptr, nullptr),
                             causesOf({&one, 10}, {&unknown, 6}, nullptr, nullptr)}) {
    EXPECT_THAT(none.with, IsEmpty());
    EXPECT_THAT(none.against, IsEmpty());
  }
}

// Bank conflicts that are gone explain fewer waits for shared memory, but not more of them.
TEST(Causes, CountsThatMovedInTheDirectionThatExplainsStandWithThem) {
  const StateModel conflicts = modelWith("");
  const StateModel padded = modelWith("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=16, offset=8)\n");
  const SampledWarps many = warps(1, {{StallReason::kShortScoreboard, 50}, {StallReason::kWait, 50}});
  const SampledWarps few = warps(1, {{StallReason::kWait, 100}});
  const Causes faster = causesOf({&many, 10}, {&few, 5}, &conflicts, &padded);
  ASSERT_EQ(faster.with.size(), 1U);
  ASSERT_EQ(faster.with[0].figures.size(), 1U);
  EXPECT_EQ(faster.with[0].figures[0].kind, ComparedFigure::Kind::kConflicts);
  const Causes slower = causesOf({&few, 5}, {&many, 10}, &conflicts, &padded);
  ASSERT_EQ(slower.with.size(), 1U);
  EXPECT_THAT(slower.with[0].figures, IsEmpty());
}

// A load that shared memory keeps for others asks less of L2, which explains fewer waits for it.
TEST(Causes, BytesFromL2ExplainWaitsForGlobalMemory) {
  const StateModel direct = modelWith("", "fp32_naive"), kept = modelWith("");
  const SampledWarps many = warps(1, {{StallReason::kLongScoreboard, 50}, {StallReason::kWait, 50}});
  const SampledWarps few = warps(1, {{StallReason::kWait, 100}});
  const Causes faster = causesOf({&many, 10}, {&few, 5}, &direct, &kept);
  ASSERT_EQ(faster.with.size(), 1U);
  ASSERT_FALSE(faster.with[0].figures.empty());
  EXPECT_EQ(faster.with[0].figures[0].label, "l2 → registers");
}

TEST(Causes, EveryReasonHasWords) {
  for (const profile::StallReasonRow& row : profile::stallReasons())
    EXPECT_TRUE(profile::couldIssue(row.reason) ||
                std::ranges::any_of(text::winner::kDoings, [&](const auto& d) { return d.reason == row.name; }))
        << row.name;
}

}  // namespace
}  // namespace loom::session::causes_view_test
