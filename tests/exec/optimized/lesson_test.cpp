// Every state of the lessons' schedules at its real size.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

#include "tests/exec/scheduled.h"
#include "tests/schedules/turn.h"

namespace loom::exec::lesson_test {
namespace {

class Lesson : public testing::TestWithParam<const char*> {};

TEST_P(Lesson, EveryStateComputesTheFunctionAsAKernelOrInOrder) {
  std::string path = std::string("tests/oracle/cases/lessons/") + GetParam();
  std::string function = readText(path + ".func.py");
  auto replay = replayed(function, readText(path + ".sched.py"));
  Options options;
  options.budget = 0.08;
  options.compareAtMost = 300;
  auto checker = Checker::create(parse(function), options);
  ASSERT_TRUE(checker) << checker.error().message.english();
  int verified = 0, inOrder = 0;
  double slowest = 0;
  const tests::Turn turn(2);
  std::size_t tried = 0;
  for (std::size_t n = 0; n < replay.steps.size(); ++n) {
    const auto& step = replay.steps[n];
    if (!turn.has(n) && n + 1 < replay.steps.size()) continue;
    ++tried;
    auto report = checker->check(step.state.module().functions.front());
    ASSERT_TRUE(report) << step.source << ": " << report.error().message.english();
    inOrder += report->inOrder.has_value();
    EXPECT_TRUE(isRight(*report)) << "step " << step.step << " " << step.source << "\n" << describe(*report);
    if (testing::Test::HasFailure() || std::getenv("LOOM_TIMES"))
      std::printf("%4d %7.0f ms %s\n", step.step, report->milliseconds,
                  describe(*report).english().substr(0, 300).c_str());
    verified += isRight(*report);
    slowest = std::max(slowest, report->milliseconds);
  }
  RecordProperty("verified", verified);
  RecordProperty("slowest", std::to_string(slowest));
  std::printf("%s: %d of %zu states verified, %d of them in order, the slowest in %.0f ms\n", GetParam(), verified,
              tried, inOrder, slowest);
  EXPECT_EQ(verified, int(tried));
  EXPECT_GE(verified - inOrder, turn.parts() == 1 ? 3 : 1);
}

INSTANTIATE_TEST_SUITE_P(All, Lesson,
                         testing::Values("fp32_naive", "fp32_v1_one_dim_threads", "fp32_v2_two_dim_threads",
                                         "fp32_v3_shared_memory", "fp32_v4_registers", "tensorcore",
                                         "tensorcore_small_tiles"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace loom::exec::lesson_test
