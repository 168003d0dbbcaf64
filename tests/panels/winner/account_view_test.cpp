#include "app/panels/winner/view/account.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/session/state_model.h"
#include "tests/model/programs.h"

namespace loom::session::account_view_test {
namespace {

using Kind = ComparedFigure::Kind;
using testing::IsEmpty;
using testing::Ne;

// The end of the Tensor Core lesson, or of another case, with more steps.
StateModel modelWith(const std::string& more, const std::string& name = "tensorcore") {
  static const model::Device device = model::deviceNamed("h200");
  const std::string path = "tests/oracle/cases/lessons/" + name;
  const auto text = document::makeKernel(
      model::replayed(model::readText(path + ".func.py"), model::readText(path + ".sched.py") + more).last);
  return stateModelOf(text, {&device, nullptr, nullptr});
}

const StateModel& plain() {
  static const StateModel model = modelWith("");
  return model;
}
const StateModel& padded() {
  static const StateModel model =
      modelWith("sch.storage_align(block=b22, buffer_index=0, axis=-2, factor=16, offset=8)\n");
  return model;
}

TEST(Account, WhatMovedIsThePipeThatConflictsKeptBusyAndTheConflicts) {
  const auto rows = whatMoved(plain(), padded());
  ASSERT_FALSE(rows.empty());
  EXPECT_LE(rows.size(), 5U);
  EXPECT_EQ(rows[0].kind, Kind::kPipe);
  EXPECT_EQ(rows[0].label, "memory instructions");
  EXPECT_LT(*rows[0].after, *rows[0].before);
  EXPECT_TRUE(std::ranges::any_of(rows, [](const ComparedRow& r) { return r.kind == Kind::kConflicts; }));
  // 32 and 34 KiB a block are no great difference.
  EXPECT_FALSE(std::ranges::any_of(rows, [](const ComparedRow& r) { return r.kind == Kind::kShared; }));
}

TEST(Account, PipesThatMoveAgainstAMeasuredGainAccountForNothing) {
  const auto isPipe = [](const ComparedRow& r) { return r.kind == Kind::kPipe; };
  ASSERT_LT(*whatMoved(plain(), padded())[0].after, *whatMoved(plain(), padded())[0].before);
  EXPECT_TRUE(std::ranges::any_of(whatMoved(plain(), padded(), 1.2), isPipe));
  const auto slower = whatMoved(plain(), padded(), 0.9);
  EXPECT_TRUE(std::ranges::none_of(slower, [&](const ComparedRow& r) { return isPipe(r) && *r.after < *r.before; }));
  EXPECT_TRUE(std::ranges::any_of(slower, [](const ComparedRow& r) { return r.kind == Kind::kConflicts; }));
}

TEST(Account, BlocksThatTakeAnotherTurnAreToldBeforeOtherCounts) {
  const StateModel small = modelWith("", "fp32_v1_one_dim_threads");
  const auto rows = whatMoved(small, plain());
  const auto isCount = [](const ComparedRow& r) { return r.kind > Kind::kLaunch; };
  const auto first = std::ranges::find_if(rows, isCount);
  ASSERT_NE(first, rows.end());
  EXPECT_EQ(first->kind, Kind::kWaves);
  EXPECT_NE(std::ceil(*first->before), std::ceil(*first->after));
}

TEST(Account, NothingMovesBetweenAKernelAndItself) { EXPECT_THAT(whatMoved(plain(), plain()), IsEmpty()); }

TEST(Account, StandsSideBySideAlsoWhereOneIsNotKnown) {
  const auto rows = accountOf({&plain(), nullptr, &padded()});
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().kind, Kind::kPredicted);
  std::vector<std::optional<double>> predicted;
  for (const AccountRow& row : rows) {
    ASSERT_EQ(row.values.size(), 3U) << row.label;
    EXPECT_FALSE(row.values[1]) << row.label;
    EXPECT_THAT(row.kind, Ne(Kind::kSpills)) << "none spills";
    if (row.kind == Kind::kPredicted) predicted = row.values;
    if (row.kind == Kind::kPipe) {
      const auto shareOf = [&](std::size_t n) { return row.values[n].value_or(0) / *predicted[n]; };
      EXPECT_GE(std::max(shareOf(0), shareOf(2)), 0.1) << row.label;
    }
  }
  const auto blocks = std::ranges::find(rows, Kind::kBlocks, &AccountRow::kind);
  ASSERT_NE(blocks, rows.end());
  EXPECT_EQ(blocks->values[0], blocks->values[2]);
  EXPECT_THAT(accountOf({nullptr, nullptr}), IsEmpty());
  EXPECT_THAT(accountOf({}), IsEmpty());
}

}  // namespace
}  // namespace loom::session::account_view_test
