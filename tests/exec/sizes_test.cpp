// Kernels for all sizes, executed at some: guards are needed at one size and not at another.
#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::sizes_test {
namespace {

using Status = Report::Status;

const std::string kProduct = tests::programText("product_of_any_size");
const std::string kTilesOfAnySize = tests::scheduleText("tiles_of_any_size");

Result<Report> checkedWith(const std::string& lines, const ir::Numbers& numbers) {
  Options how;
  how.numbers = numbers;
  return check(parse(kProduct), replayed(kProduct, lines).last.module().functions.front(), how);
}

TEST(CheckSizes, EveryStateAtSizesThatDivideAndThatDont) {
  for (const ir::Numbers& numbers : {ir::Numbers{{"n", 16}, {"m", 24}, {"k", 8}, {"alpha", 2}},
                                     ir::Numbers{{"n", 13}, {"m", 29}, {"k", 7}, {"alpha", -1}},
                                     ir::Numbers{{"n", 1}, {"m", 1}, {"k", 1}, {"alpha", 3}}}) {
    const auto replay = replayed(kProduct, kTilesOfAnySize);
    Options how;
    how.numbers = numbers;
    auto checker = Checker::create(parse(kProduct), how);
    ASSERT_TRUE(checker) << checker.error().message.english();
    for (const auto& step : replay.steps) {
      auto report = checker->check(step.state.module().functions.front());
      ASSERT_TRUE(report) << step.source << ": " << report.error().message.english();
      EXPECT_EQ(report->status, Status::Verified) << step.source << "\n" << describe(*report);
      EXPECT_EQ(report->compared, report->total);
      EXPECT_FALSE(report->inOrder) << report->inOrder->message.english();
    }
  }
}

// Shared memory as large as a symbol is no kernel; what it holds in order, at the numbers, is known.
TEST(CheckSizes, CopiesOfWholeParametersRunInOrder) {
  for (const char* scope : {"shared", "local"}) {
    const std::string copied = kTilesOfAnySize + "x = sch.cache_read(b, 0, \"" + scope + "\")\n";
    for (const ir::Numbers& numbers : {ir::Numbers{{"n", 16}, {"m", 24}, {"k", 8}, {"alpha", 2}},
                                       ir::Numbers{{"n", 13}, {"m", 29}, {"k", 7}, {"alpha", -1}}}) {
      auto report = checkedWith(copied, numbers);
      ASSERT_TRUE(report) << report.error().message.english();
      EXPECT_EQ(report->status, Status::Verified) << describe(*report);
      EXPECT_TRUE(report->inOrder);
    }
  }
}

TEST(CheckSizes, SharedCopiesOfTilesThatHangOverTheEdge) {
  const std::string lines = kTilesOfAnySize + tests::scheduleText("shared_copy_of_b");
  for (double n : {16.0, 13.0}) {
    const auto report = checkedWith(lines, {{"n", n}, {"m", 24}, {"k", 7}, {"alpha", 2}});
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_NE(report->status, Status::Wrong) << describe(*report);
    EXPECT_NE(report->status, Status::Faults) << describe(*report);
  }
}

TEST(CheckSizes, AScheduleThatIsWrongAtOneSizeIsFoundThere) {
  // A scheduled program that leaves out what is left over.
  std::string wrong = kProduct;
  const std::string loops = "T.grid(n, m, k)";
  wrong.replace(wrong.find(loops), loops.size(), "T.grid(n // 8 * 8, m, k)");
  auto at = [&](double n) {
    Options how;
    how.numbers = {{"n", n}, {"m", 8}, {"k", 4}, {"alpha", 2}};
    return check(parse(kProduct), parse(wrong), how).value();
  };
  EXPECT_EQ(at(16).status, Status::Verified);
  EXPECT_EQ(at(17).status, Status::Wrong);
}

TEST(CheckSizes, NumbersThatAreMissingOrNoneAreRefused) {
  for (const ir::Numbers& numbers : {ir::Numbers{}, ir::Numbers{{"n", 4}, {"m", 4}, {"k", 0}, {"alpha", 2}}}) {
    const auto report = checkedWith("", numbers);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "ValueError");
  }
}

}  // namespace
}  // namespace loom::exec::sizes_test
