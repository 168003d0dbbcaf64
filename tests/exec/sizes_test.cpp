// Kernels for all sizes, executed at some: guards are needed at one size and not at another.
#include <gmock/gmock.h>

#include "tests/exec/scheduled.h"

namespace loom::exec {
namespace {

using Status = Report::Status;

const char* const kProduct =
    "@T.prim_func\ndef main(a: T.handle, alpha: T.float32, b: T.handle, c: T.handle):\n    n = T.int32()\n"
    "    m = T.int32()\n    k = T.int32()\n    A = T.match_buffer(a, (n, k), \"float32\")\n"
    "    B = T.match_buffer(b, (k, m), \"float32\")\n    C = T.match_buffer(c, (n, m), \"float32\")\n"
    "    for i, j, l in T.grid(n, m, k):\n        with T.block(\"C\"):\n"
    "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, l])\n            with T.init():\n"
    "                C[vi, vj] = T.float32(0)\n            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj] * alpha\n";
const char* const kTiled = R"(
b = sch.get_block("C")
i, j, k = sch.get_loops(b)
i0, i1 = sch.split(i, [None, 8])
j0, j1 = sch.split(j, [None, 8])
k0, k1 = sch.split(k, [None, 4])
sch.reorder(i0, j0, i1, j1, k0, k1)
sch.bind(i0, "blockIdx.y")
sch.bind(j0, "blockIdx.x")
sch.bind(i1, "threadIdx.y")
sch.bind(j1, "threadIdx.x")
)";

Result<Report> checked(const std::string& lines, const ir::Numbers& numbers) {
  Options how;
  how.numbers = numbers;
  return check(parse(kProduct), replayed(kProduct, lines).last.module().functions.front(), how);
}

TEST(CheckSizes, EveryStateAtSizesThatDivideAndThatDont) {
  for (const ir::Numbers& numbers : {ir::Numbers{{"n", 16}, {"m", 24}, {"k", 8}, {"alpha", 2}},
                                     ir::Numbers{{"n", 13}, {"m", 29}, {"k", 7}, {"alpha", -1}},
                                     ir::Numbers{{"n", 1}, {"m", 1}, {"k", 1}, {"alpha", 3}}}) {
    const auto replay = replayed(kProduct, kTiled);
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
    const std::string copied = std::string(kTiled) + "x = sch.cache_read(b, 0, \"" + scope + "\")\n";
    for (const ir::Numbers& numbers : {ir::Numbers{{"n", 16}, {"m", 24}, {"k", 8}, {"alpha", 2}},
                                       ir::Numbers{{"n", 13}, {"m", 29}, {"k", 7}, {"alpha", -1}}}) {
      auto report = checked(copied, numbers);
      ASSERT_TRUE(report) << report.error().message.english();
      EXPECT_EQ(report->status, Status::Verified) << describe(*report);
      EXPECT_TRUE(report->inOrder);
    }
  }
}

TEST(CheckSizes, SharedCopiesOfTilesThatHangOverTheEdge) {
  const std::string lines = std::string(kTiled) + R"(
x = sch.cache_read(b, 1, "shared")
sch.compute_at(x, k0)
ax = sch.fuse(*sch.get_loops(x)[-2:])
f0, f1 = sch.split(ax, [None, 64])
g0, g1 = sch.split(f1, [8, 8])
sch.bind(g0, "threadIdx.y")
sch.bind(g1, "threadIdx.x")
)";
  for (double n : {16.0, 13.0}) {
    const auto report = checked(lines, {{"n", n}, {"m", 24}, {"k", 7}, {"alpha", 2}});
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
    const auto report = checked("", numbers);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "ValueError");
  }
}

}  // namespace
}  // namespace loom::exec
