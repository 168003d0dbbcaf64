// Scheduled programs from end to end: schedule, lowering, execution, comparison.
#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::check_test {
namespace {

using testing::HasSubstr;
using Status = Report::Status;

Options whole() {
  Options o;
  o.sample = false;
  o.compareAtMost = 1 << 20;
  return o;
}

void expectVerified(const std::string& function, const std::string& lines, bool advice = false) {
  auto replay = replayed(function, lines);
  auto checker = Checker::create(parse(function), whole()).value();
  int run = 0;
  for (const auto& step : replay.steps) {
    auto report = checker.check(step.state.module().functions.front());
    ASSERT_TRUE(report) << step.source << ": " << report.error().message.english();
    if (!report->inOrder) ++run;
    EXPECT_EQ(report->status, Status::Verified) << step.source << "\n" << describe(*report) << "\n" << step.script.text;
    EXPECT_EQ(report->compared, report->total) << step.source;
  }
  auto last = checker.check(replay.last.module().functions.front());
  ASSERT_TRUE(last) << last.error().message.english();
  EXPECT_EQ(last->status, Status::Verified) << describe(*last);
  if (!advice) {
    EXPECT_TRUE(last->findings.empty()) << describe(last->findings.front());
  }
  EXPECT_GT(run, 0);
}

TEST(Check, TensorCoreScheduleEveryState) { expectVerified(matmul(64, 64, 64, "float16"), kTensorCore); }

const std::string kTiled = tests::scheduleText("tiles_of_64_threads");

TEST(Check, OddSizesUnderPredicates) { expectVerified(matmul(37, 29, 13), kTiled); }

TEST(Check, OddSizesWithSharedCopies) {
  expectVerified(matmul(37, 29, 13), kTiled + tests::scheduleText("shared_copy_and_local_sum"));
}

TEST(Check, VirtualThreadsAndVectors) {
  expectVerified(matmul(64, 64, 16), tests::scheduleText("virtual_threads_and_vectors"));
}

const std::string kTwoStages = tests::programText("double_then_relu");

TEST(Check, BuffersOfVeryManyDimensions) {
  std::string shape, indices;
  for (int d = 0; d < 40; ++d) shape += d ? ", 1" : "1", indices += d ? ", 0" : "0";
  expectVerified(tests::programText("ones_of_many_dimensions", {{"SHAPE", shape}, {"INDICES", indices}}),
                 tests::scheduleText("threads_of_one_axis", {{"BLOCK", "A"}}));
}

TEST(Check, CachesOfOtherLayouts) { expectVerified(matmul(64, 48, 32), tests::scheduleText("laid_out_caches")); }

TEST(Check, ProductsPaddedToTiles) { expectVerified(matmul(37, 29, 13), tests::scheduleText("padded_product")); }

TEST(Check, TwoKernelsAndATemporary) { expectVerified(kTwoStages, tests::scheduleText("two_kernels")); }

// --- planted faults ---

TEST(Check, WrongConstantIsWrongWithElementAndValues) {
  std::string text = kTwoStages, wrong = text;
  wrong.replace(wrong.find("T.float32(2)"), 12, "T.float32(3)");
  auto report = check(parse(text), parse(wrong), whole());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Wrong);
  ASSERT_TRUE(report->first);
  EXPECT_EQ(report->first->buffer, "D");
  EXPECT_NE(report->first->expected, report->first->got);
  EXPECT_GT(report->mismatches, 0);
}

TEST(Check, ElementNeverWrittenIsWrong) {
  std::string text = kTwoStages, less = text;
  less.replace(less.rfind("T.grid(40, 24)"), 14, "T.grid(39, 24)");
  auto report = check(parse(text), parse(less), whole());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Wrong);
  EXPECT_FALSE(report->first->written);
  EXPECT_EQ(report->first->element, (std::vector<std::int64_t>{39, 0}));
}

TEST(Check, WhatThreadsCannotShareRunsInOrderAndSaysWhy) {
  const std::string lines = tests::scheduleText("shared_sum_around_a_loop");
  auto report = check(parse(matmul(8, 8, 32)), scheduled(matmul(8, 8, 32), lines), whole());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Verified) << describe(*report);
  EXPECT_EQ(report->compared, 64);
  ASSERT_TRUE(report->inOrder);
  EXPECT_EQ(report->inOrder->code, "NotAKernel");
  EXPECT_THAT(describe(*report).english(), HasSubstr("which it doesn't sum over"));
}

TEST(Check, WhatIsNoKernelIsStillFoundWrong) {
  std::string text = matmul(64, 64, 64, "float16"), wrong = text;
  wrong.replace(wrong.find("T.float32(0)"), 12, "T.float32(1)");
  auto report = check(parse(text), scheduled(wrong, tests::scheduleText("shared_copy_of_all_of_a")), whole());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_TRUE(report->inOrder);
  EXPECT_EQ(report->status, Status::Wrong);
  EXPECT_EQ(report->first->got, report->first->expected + 1);
}

TEST(Check, ReadOutsideTheBufferIsAFault) {
  std::string text = kTwoStages, outside = text;
  outside.replace(outside.find("A[vi, vj]"), 9, "A[vi + 1, vj]");
  auto report = check(parse(text), parse(outside), whole());
  ASSERT_TRUE(report) << report.error().message.english();
  ASSERT_FALSE(report->findings.empty());
  EXPECT_EQ(report->findings[0].kind, Finding::Kind::OutOfBounds);
  EXPECT_EQ(report->findings[0].buffer, "A");
  EXPECT_EQ(report->findings[0].element, 40 * 24);
}

TEST(Check, OtherShapesAreNotComparable) {
  auto report = check(parse(matmul(8, 8, 8)), parse(matmul(8, 8, 4)));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "NotComparable");
}

// The engine takes it, as TVM does; a warp's load of a tile has no address in memory that each thread has for itself.
TEST(Check, ATileInLocalMemoryIsNotExecutable) {
  const std::string text = matmul(64, 64, 64, "float16");
  auto report = check(parse(text), scheduled(text, kTensorCore + "sch.set_scope(xs, 0, \"local\")\n"), whole());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "NotExecutable");
}

// What TVM keeps of the scope still names the block that the tile's intrinsic replaced.
TEST(Check, ACopyOfWhatATileLoadedIsRefused) {
  auto replay = replayed(matmul(64, 64, 64, "float16"), kTensorCore);
  const auto lines = script::parseSchedule("sch.cache_read(sch.get_block(\"C_o_update\"), 1, \"shared\")", "").value();
  const auto refused =
      schedule::apply(replay.last, schedule::kTrialStep, lines[0], schedule::Environment{&intrinsics()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "InternalError");
}

// A product of fragments that nothing loads yet: how B lies isn't known, so that it has no meaning in order either.
TEST(Check, WhatHasNoMeaningInOrderKeepsTheErrorOfLowering) {
  std::string text = matmul(64, 64, 64, "float16"), schedule = kTensorCore;
  schedule.erase(schedule.find("sch.tensorize(a3"),
                 schedule.find("sch.tensorize(sch.get_loops(b)[0]") - schedule.find("sch.tensorize(a3"));
  schedule.erase(schedule.find("sch.tensorize(c3"));
  auto report = check(parse(text), scheduled(text, schedule), whole());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "NotAKernel");
}

TEST(Check, SampledReportSaysWhatRan) {
  std::string text = matmul(512, 512, 256);
  Options options;
  options.budget = 0.02;
  auto report = check(parse(text), scheduled(text, kTiled), options);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Partly) << describe(*report);
  EXPECT_TRUE(report->sampled);
  EXPECT_THAT(describe(*report).english(), testing::Not(HasSubstr("verified")));
  EXPECT_LT(report->compared, report->total);
  EXPECT_GT(report->compared, 0);
  ASSERT_FALSE(report->left.empty());
  EXPECT_THAT(describe(*report).english(), HasSubstr("of main_kernel"));
}

TEST(Check, SampleFindsAWrongUpdate) {
  std::string text = matmul(256, 256, 64), wrong = text;
  wrong.replace(wrong.find("B[vk, vj]"), 9, "B[vj % 64, vk]");
  Options options;
  options.budget = 0.02;
  auto report = check(parse(text), scheduled(wrong, kTiled), options);
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Wrong);
}

TEST(Check, SameSeedSameReport) {
  std::string text = matmul(256, 256, 64);
  Options options;
  options.budget = 0.02;
  auto a = check(parse(text), scheduled(text, kTiled), options),
       b = check(parse(text), scheduled(text, kTiled), options);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(describe(*a), describe(*b));
}

}  // namespace
}  // namespace loom::exec::check_test
