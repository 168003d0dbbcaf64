// Scheduled programs from end to end: schedule, lowering, execution, comparison.
#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"

namespace loom::exec {
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

const char* const kTiled = R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
bi, ti = sch.split(i, [None, 8])
bj, tj = sch.split(j, [None, 8])
ko, ki = sch.split(k, [None, 4])
sch.reorder(bi, bj, ti, tj, ko, ki)
sch.bind(bi, "blockIdx.y")
sch.bind(bj, "blockIdx.x")
sch.bind(ti, "threadIdx.y")
sch.bind(tj, "threadIdx.x")
)";

TEST(Check, OddSizesUnderPredicates) { expectVerified(matmul(37, 29, 13), kTiled); }

TEST(Check, OddSizesWithSharedCopies) {
  expectVerified(matmul(37, 29, 13), std::string(kTiled) + R"(
c = sch.cache_write(b, 0, "local")
sch.reverse_compute_at(c, tj)
s = sch.cache_read(b, 0, "shared")
sch.compute_at(s, ko)
f = sch.fuse(*sch.get_loops(s)[-2:])
f0, f1, f2 = sch.split(f, [None, 8, 8])
sch.bind(f1, "threadIdx.y")
sch.bind(f2, "threadIdx.x")
sch.decompose_reduction(b, ko)
)");
}

TEST(Check, VirtualThreadsAndVectors) {
  expectVerified(matmul(64, 64, 16), R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
bi, vi, ti, ii = sch.split(i, [2, 2, 8, None])
bj, vj, tj, jj = sch.split(j, [2, 2, 4, None])
sch.reorder(bi, bj, vi, vj, ti, tj, k, ii, jj)
sch.bind(bi, "blockIdx.y")
sch.bind(bj, "blockIdx.x")
sch.bind(vi, "vthread.y")
sch.bind(vj, "vthread.x")
sch.bind(ti, "threadIdx.y")
sch.bind(tj, "threadIdx.x")
c = sch.cache_write(b, 0, "local")
sch.reverse_compute_at(c, tj)
sch.vectorize(sch.get_loops(c)[-1])
sch.unroll(ii)
s = sch.cache_read(b, 1, "shared")
sch.compute_at(s, k)
f0, f1, f2 = sch.split(sch.get_loops(s)[-1], [None, 8, 4])
sch.bind(f1, "threadIdx.y")
sch.bind(f2, "threadIdx.x")
sch.decompose_reduction(b, k)
)");
}

const char* const kTwoStages = R"(
@T.prim_func
def main(A: T.Buffer((40, 24), "float32"), D: T.Buffer((40, 24), "float32")):
    B = T.alloc_buffer((40, 24), "float32")
    for i, j in T.grid(40, 24):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(40, 24):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = T.max(B[vi, vj] + T.float32(1), T.float32(0))
)";

TEST(Check, BuffersOfVeryManyDimensions) {
  std::string shape, indices;
  for (int d = 0; d < 40; ++d) shape += "1, ", indices += "0, ";
  expectVerified("@T.prim_func\ndef main(A: T.Buffer((" + shape +
                     "4), \"float32\")):\n    for i in range(4):\n"
                     "        with T.block(\"A\"):\n            vi = T.axis.spatial(4, i)\n            T.writes(A[" +
                     indices + "vi])\n            A[" + indices + "vi] = T.float32(1)\n",
                 "b = sch.get_block(\"A\")\ni, = sch.get_loops(b)\nsch.bind(i, \"threadIdx.x\")\n");
}

TEST(Check, TwoKernelsAndATemporary) {
  expectVerified(kTwoStages, R"(
b = sch.get_block("B")
d = sch.get_block("D")
i, j = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
i, j = sch.get_loops(d)
i0, i1 = sch.split(i, [None, 16])
sch.bind(i0, "blockIdx.x")
sch.bind(i1, "threadIdx.x")
)");
}

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

TEST(Check, ReductionOverThreadsRunsInOrderAndSaysWhy) {
  auto report = check(parse(matmul(8, 8, 32)), scheduled(matmul(8, 8, 32), R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
sch.bind(k, "threadIdx.x")
)"),
                      whole());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Verified) << describe(*report);
  EXPECT_EQ(report->compared, 64);
  ASSERT_TRUE(report->inOrder);
  EXPECT_EQ(report->inOrder->code, "NotAKernel");
  EXPECT_THAT(describe(*report), HasSubstr("sums over it"));
}

TEST(Check, WhatIsNoKernelIsStillFoundWrong) {
  std::string text = matmul(64, 64, 64, "float16"), wrong = text;
  wrong.replace(wrong.find("T.float32(0)"), 12, "T.float32(1)");
  auto report = check(parse(text), scheduled(wrong, R"(
b = sch.get_block("C")
sch.cache_read(b, 0, "shared")
i, j, k = sch.get_loops(b)
sch.bind(i, "blockIdx.x")
)"),
                      whole());
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
  auto report =
      check(parse(text), scheduled(text, std::string(kTensorCore) + "sch.set_scope(xs, 0, \"local\")\n"), whole());
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
  EXPECT_THAT(describe(*report), testing::Not(HasSubstr("verified")));
  EXPECT_LT(report->compared, report->total);
  EXPECT_GT(report->compared, 0);
  ASSERT_FALSE(report->left.empty());
  EXPECT_THAT(describe(*report), HasSubstr("of main_kernel"));
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
}  // namespace loom::exec
