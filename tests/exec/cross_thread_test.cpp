// Sums that threads share, on the CPU: one warp and several, lanes and extents of all kinds, what a thread adds up
// before, where the sum goes; and each way to get one wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/device/operation.h"
#include "core/lower/lower.h"
#include "tests/exec/device_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::cross_thread_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Reduction {
  std::string type = "float32", identity = "T.float32(0)", combined = "C[vi] + A[vi, vk]";
};
std::string rows(int m, int k, const Reduction& r = {}) {
  return tests::programText("row_reduction",
                            {{"M", m}, {"K", k}, {"TYPE", r.type}, {"IDENTITY", r.identity}, {"COMBINED", r.combined}});
}
const std::string kLoops = "b = sch.get_block(\"C\")\ni, k = sch.get_loops(b)\n";
// Rows of a block, and threads that share a row's sum.
std::string shared(int rowsOfBlock, int threads, const std::string& rowAxis = "threadIdx.y",
                   const std::string& axis = "threadIdx.x") {
  return tests::scheduleText("sum_by_threads",
                             {{"ROWS", rowsOfBlock}, {"THREADS", threads}, {"ROW_AXIS", rowAxis}, {"AXIS", axis}});
}

struct Lowered {
  ir::Function original, function;
  device::Program program;
  std::string cuda;
};
Lowered lowered(const std::string& text, const std::string& lines) {
  Lowered l{parse(text), scheduled(text, lines), {}, {}};
  auto program = lower::lower(l.function);
  if (!program) throw std::runtime_error(program.error().message.english());
  l.program = *program;
  l.cuda = codegen::generate(l.program).text;
  return l;
}
// Everything is executed as the kernel that it is, and right.
Lowered expectRight(const std::string& text, const std::string& lines) {
  Lowered l = lowered(text, lines);
  Options all;
  all.sample = false;
  const auto report = check(l.original, l.function, all);
  EXPECT_TRUE(report) << report.error().message.english();
  if (!report) return l;
  EXPECT_FALSE(report->inOrder) << report->inOrder->message.english();
  EXPECT_EQ(report->status, Report::Status::Verified)
      << (report->findings.empty() ? "" : describe(report->findings.front()).english()) << "\n"
      << report->mismatches << " differ\n"
      << l.cuda;
  return l;
}
std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(SharedSums, OfOneWarpAreShufflesAndNoBarrier) {
  const Lowered l = expectRight(rows(8, 256), shared(1, 32));
  EXPECT_EQ(count(l.cuda, "__shfl_down_sync(4294967295u, "), 5U) << l.cuda;
  EXPECT_THAT(l.cuda, Not(HasSubstr("__syncthreads")));
  EXPECT_THAT(l.cuda, Not(HasSubstr("__shfl_sync"))) << "only thread 0 has a use for the sum";
}

TEST(SharedSums, OfEachNumberOfThreads) {
  for (int threads : {2, 4, 8, 16, 32}) expectRight(rows(12, threads * 3), shared(3, threads));
  for (int threads : {3, 5, 20, 31, 33, 48, 63, 64, 96, 100, 128, 160, 1000, 1024})
    expectRight(rows(4, threads * 2), shared(1, threads));
  for (int threads : {32, 64, 96, 3, 20, 48}) expectRight(rows(12, threads * 2), shared(4, threads));
}

TEST(SharedSums, OfSeveralWarpsMeetOnceInSharedMemory) {
  const Lowered l = expectRight(rows(8, 512), shared(1, 128));
  EXPECT_EQ(count(l.cuda, "__syncthreads()"), 1U) << l.cuda;
  EXPECT_EQ(count(l.cuda, "__shfl_down_sync"), 7U) << "5 and, of 4 warps, 2";
}

// What doesn't lie side by side in a warp is added up in shared memory.
TEST(SharedSums, AlongAnyThreadAxes) {
  for (auto [x, y] : {std::pair{8, 4}, {16, 3}, {32, 5}, {4, 64}}) {
    const Lowered l = expectRight(rows(2 * x, 3 * y), shared(x, y, "threadIdx.x", "threadIdx.y"));
    EXPECT_THAT(l.cuda, HasSubstr("shared_C"));
    EXPECT_THAT(l.cuda, Not(HasSubstr("__shfl")));
  }
  // Both axes; only threadIdx.y, of a block without others.
  const std::string split = kLoops + "k0, k1, k2 = sch.split(k, [None, 4, 8])\nsch.bind(i, \"blockIdx.x\")\n";
  expectRight(rows(6, 96), split + "sch.bind(k1, \"threadIdx.y\")\nsch.bind(k2, \"threadIdx.x\")\n");
  const Lowered y = expectRight(rows(6, 96), split + "sch.bind(k2, \"threadIdx.y\")\n");
  EXPECT_THAT(y.cuda, HasSubstr("__shfl_down_sync(255, ")) << "the lanes that the block has";
}

TEST(SharedSums, OfWhatAThreadHoldsAlone) {
  const Lowered l = expectRight(rows(8, 32), kLoops + "sch.bind(i, \"blockIdx.x\")\nsch.bind(k, \"threadIdx.x\")\n");
  EXPECT_THAT(l.cuda, Not(HasSubstr("= 0.0f")));
}

// What a guard leaves out is the value that changes nothing.
TEST(SharedSums, WhoseExtentTheThreadsDoNotDivide) {
  for (int threads : {16, 32, 96}) expectRight(rows(6, 250), shared(2, threads));
  expectRight(rows(7, 250), shared(2, 32));
  const Reduction greatest{"float32", "T.min_value(\"float32\")", "T.max(C[vi], A[vi, vk])"};
  expectRight(rows(7, 37, greatest), shared(2, 32));
  expectRight(rows(7, 20, greatest), shared(1, 20));
}

TEST(SharedSums, OfEachKindAndType) {
  const std::vector<Reduction> all{
      {"float32", "T.float32(1)", "C[vi] * T.Select(A[vi, vk] > T.float32(1), T.float32(-1), T.float32(1))"},
      {"float32", "T.max_value(\"float32\")", "T.min(C[vi], A[vi, vk])"},
      {"int32", "0", "C[vi] + A[vi, vk]"},
      {"int32", "T.min_value(\"int32\")", "T.max(C[vi], A[vi, vk])"},
      {"int64", "T.int64(0)", "C[vi] + A[vi, vk]"},
      {"float64", "T.float64(0)", "C[vi] + A[vi, vk]"},
      {"float16", "T.float16(0)", "C[vi] + A[vi, vk]"},
      {"bfloat16", "T.bfloat16(0)", "C[vi] + A[vi, vk]"},
      {"int8", "T.int8(0)", "C[vi] + A[vi, vk]"},
      {"uint8", "T.uint8(0)", "T.max(C[vi], A[vi, vk])"}};
  for (const Reduction& r : all) {
    SCOPED_TRACE(r.type + " " + r.combined);
    expectRight(rows(4, 64, r), shared(2, 16));
    expectRight(rows(4, 128, r), shared(1, 64));
  }
}

TEST(SharedSums, OfPairs) {
  // Not strictly, which of two equal ones is taken depends on their order: TVM's kernel takes another one, too.
  for (const char* better : {">", "<"}) {
    const std::string worst = better[0] == '>' ? "min_value" : "max_value";
    const std::string text = tests::programText("first_best_of_rows", {{"BETTER", better}, {"WORST", worst}});
    for (int threads : {8, 32, 64}) {
      SCOPED_TRACE(better);
      expectRight(text, tests::scheduleText("best_by_threads", {{"THREADS", threads}}));
    }
  }
}

TEST(SharedSums, InRegistersAreEveryThreads) {
  const Lowered l = expectRight(rows(8, 256), shared(2, 16) +
                                                  "c = sch.cache_write(b, 0, \"local\")\n"
                                                  "sch.reverse_compute_at(c, i1)\n");
  EXPECT_THAT(l.cuda, HasSubstr("= __shfl_sync(4294967295u, in_thread_C_local[0], 0, 16)"));
  expectRight(rows(8, 256), shared(1, 128) + "c = sch.cache_write(b, 0, \"local\")\nsch.reverse_compute_at(c, i1)\n");
  expectRight(rows(8, 256), shared(1, 128) + "c = sch.cache_write(b, 0, \"shared\")\nsch.reverse_compute_at(c, i1)\n");
}

TEST(SharedSums, OfAPartThatRfactorMade) { expectRight(rows(8, 256), tests::scheduleText("rfactor_by_threads")); }

// Two sums, one of which needs the other, and what all threads make of it.
TEST(SharedSums, OneAfterTheOther) {
  const std::string text = tests::programText("rows_by_their_sum_and_greatest", {{"M", 6}, {"K", 96}});
  for (int threads : {16, 32, 96}) {
    for (const char* scope : {"shared", "local"}) {
      SCOPED_TRACE(scope);
      expectRight(text, tests::scheduleText("two_sums_by_threads", {{"SCOPE", scope}, {"THREADS", threads}}));
    }
  }
}

// --- faults ---

// The kernel's statements, rewritten where `change` gives another one.
dev::Stmt changed(const dev::Stmt& s, const std::function<std::optional<dev::Stmt>(const dev::Stmt&)>& change) {
  if (auto other = change(s)) return *other;
  return dev::mapChildren(s, [&](const dev::Stmt& child) { return changed(child, change); });
}
Execution run(const Lowered& l) {
  auto reference = Reference::create(l.original, 1).value();
  return executionOf(l.program, reference);
}

TEST(SharedSumsFaults, WithoutTheBarrierBetweenWarpsRace) {
  Lowered l = lowered(rows(8, 512), shared(1, 128));
  const Execution right = run(l);
  EXPECT_TRUE(right.faults.empty());
  EXPECT_EQ(right.wrong, 0);
  l.program.kernels[0].body = changed(l.program.kernels[0].body, [](const dev::Stmt& s) -> std::optional<dev::Stmt> {
    if (s->kind == dev::StmtKind::Sync) return dev::Stmt();
    return std::nullopt;
  });
  EXPECT_THAT(run(l).faults, testing::Contains("race_in_block"));
}

TEST(SharedSumsFaults, ShufflesInABranchThatPartsTheWarp) {
  Lowered l = lowered(rows(8, 256), shared(1, 32));
  dev::Kernel& k = l.program.kernels[0];
  k.body = changed(k.body, [&](const dev::Stmt& s) -> std::optional<dev::Stmt> {
    if (s->kind == dev::StmtKind::Operation) return onlyIf(ir::lt(k.threadIdx[0], intImm(16)), s);
    return std::nullopt;
  });
  EXPECT_THAT(run(l).faults, testing::Contains("partial_warp"));
}

// Without its guard, the sum has what a lane reads of one that the block doesn't have.
TEST(SharedSumsFaults, OfLanesThatTheBlockDoesNotHave) {
  Lowered l = lowered(rows(8, 40), shared(1, 20));
  dev::Kernel& k = l.program.kernels[0];
  int guards = 0;
  const Execution right = run(l);
  EXPECT_TRUE(right.faults.empty());
  EXPECT_EQ(right.wrong, 0);
  k.body = changed(k.body, [&](const dev::Stmt& s) -> std::optional<dev::Stmt> {
    if (s->kind != dev::StmtKind::If || guards++) return std::nullopt;
    return dev::as<dev::IfNode>(s)->yes;
  });
  EXPECT_EQ(run(l).wrong, 8);
}

TEST(SharedSums, AreCompiled) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  const Reduction sum;
  for (const char* type : {"float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "int32", "int64"}) {
    SCOPED_TRACE(type);
    const Reduction r{type, std::string("T.") + type + "(0)", sum.combined};
    for (const std::string& lines : {shared(3, 16), shared(1, 96)}) {
      const Lowered l = lowered(rows(12, 192, r), lines);
      auto binary = (*compiler)->compile({l.cuda, "sm_75", false, {}});
      EXPECT_TRUE(binary) << binary.error().message.english() << l.cuda;
    }
  }
}
}  // namespace
}  // namespace loom::exec::cross_thread_test
