// What a check must find wherever it hides, and what it mustn't call wrong.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::exec::judgement_test {
namespace {

using testing::HasSubstr;
using Status = Report::Status;

Report checked(const std::string& text, const std::string& lines = "", const Options& options = {}) {
  auto report = check(parse(text), scheduled(text, lines), options);
  if (!report) {
    ADD_FAILURE() << report.error().message.english();
    return {};
  }
  return *report;
}

// --- hand-written kernels ---

// 4 blocks of 32 threads, whose body is given line by line, over A and B of 128 elements and S of 32 in shared memory.
std::string kernel(const std::vector<std::string>& body, const std::string& more = "") {
  std::string text = tests::programText("kernel_by_hand", {{"MORE", more}});
  for (const std::string& line : body) text += "            " + line + "\n";
  return text;
}
const char* const kSync = "T.tvm_storage_sync(\"shared\")";

TEST(HandWritten, ExchangeAcrossABarrierIsVerified) {
  auto report = checked(kernel({"S[tx] = A[bx * 32 + tx]", kSync, "B[bx * 32 + tx] = S[31 - tx]"}));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
  EXPECT_EQ(report.compared, 128);
}

TEST(HandWritten, ABarrierThatIsThereIsNotPlacedAgain) {
  const std::string text = kernel({"S[tx] = A[bx * 32 + tx]", kSync, "B[bx * 32 + tx] = S[31 - tx]"});
  const std::string cuda = codegen::generate(lower::lower(parse(text)).value()).text;
  const std::size_t first = cuda.find("__syncthreads()");
  ASSERT_NE(first, std::string::npos) << cuda;
  EXPECT_EQ(cuda.find("__syncthreads()", first + 1), std::string::npos) << cuda;
}

TEST(HandWritten, InABlockToo) {
  auto report = checked(kernel({"with T.block(\"k\"):", "    vb, vt = T.axis.remap(\"SS\", [bx, tx])",
                                "    T.reads(A[0:128])", "    T.writes(B[0:128])", "    S[vt] = A[vb * 32 + vt]",
                                std::string("    ") + kSync, "    B[vb * 32 + vt] = S[31 - vt]"}));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

TEST(HandWritten, ASumByHalvesInSharedMemory) {
  auto report = checked(kernel(
      {"S[tx] = A[bx * 32 + tx]", kSync, "for k in range(5):", "    if tx < T.shift_right(16, k):",
       "        S[tx] = S[tx] + S[tx + T.shift_right(16, k)]", std::string("    ") + kSync, "B[bx * 32 + tx] = S[0]"}));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

TEST(HandWritten, WithoutBarriersOfItsOwnLoweringPlacesThem) {
  auto report = checked(kernel({"S[tx] = A[bx * 32 + tx]", "B[bx * 32 + tx] = S[31 - tx]"}));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

// They do each statement before any does the next one, as TVM interleaves them. What only their loop uses, TVM gives
// each of them for itself: nobody else can have written it.
TEST(HandWritten, VirtualThreadsReadWhatOthersWroteFromMemoryThatIsNotTheirOwn) {
  const auto report = [](const std::string& threads, int each, const std::string& between) {
    return checked(tests::programText("exchange_of_virtual_threads",
                                      {{"THREADS", threads}, {"EACH", each}, {"BETWEEN", between}}));
  };
  const char *const bound = "T.thread_binding(32, \"threadIdx.x\")", *const serial = "range(1)";
  const char* const another = "for vx in T.thread_binding(2, \"vthread.x\"):";
  for (const Report& shared : {report(bound, 4, another), report(serial, 128, another)}) {
    EXPECT_EQ(shared.status, Status::Verified) << describe(shared);
    EXPECT_EQ(shared.compared, 256);
  }
  for (const Report& own : {report(bound, 4, ""), report(serial, 128, "")}) {
    EXPECT_EQ(own.status, Status::Faults) << describe(own);
    EXPECT_THAT(describe(own), HasSubstr("read of what was never written"));
  }
}

// Where they would overwrite each other's elements, each has a copy; else they have their parts of one.
TEST(HandWritten, VirtualThreadsDontOverwriteEachOthersSharedMemory) {
  const auto expect = [](int size, const std::string& at, const std::string& from, std::int64_t bytes) {
    const std::string text =
        tests::programText("tiles_of_virtual_threads", {{"SIZE", size}, {"AT", at}, {"FROM", from}});
    auto report = checked(text);
    EXPECT_EQ(report.status, Status::Verified) << at << ": " << describe(report);
    EXPECT_EQ(lower::lower(parse(text)).value().kernels.front().sharedBytes(), bytes) << at;
  };
  expect(32, "v", "31 - v", 256);
  expect(48, "w * 16 + v", "w * 16 + 31 - v", 384);
  expect(64, "w * 32 + v", "w * 32 + 31 - v", 256);
  expect(64, "v * 2 + w", "62 - v * 2 + w", 256);
}

TEST(HandWritten, VirtualThreadsHaveLocalMemoryOfTheirOwnWhereNothingElseUsesIt) {
  const std::string more =
      "V = T.alloc_buffer((64,), \"float32\", scope=\"shared\")\n    W = T.alloc_buffer((64,), \"float32\", "
      "scope=\"shared\")\n    L = T.alloc_buffer((1,), \"float32\", scope=\"local\")\n    "
      "M = T.alloc_buffer((2,), \"float32\", scope=\"local\")\n    ";
  const std::string loop = "for vx in T.thread_binding(2, \"vthread.x\"):";
  for (const bool barriers : {false, true}) {
    std::vector<std::string> body{loop,
                                  "    V[vx * 32 + tx] = A[(bx * 32 + tx + vx * 5) % 128]",
                                  kSync,
                                  loop,
                                  "    L[0] = A[tx] + T.Cast(\"float32\", vx)",
                                  "    M[vx] = L[0] * T.float32(2)",
                                  "    W[vx * 32 + tx] = V[63 - vx * 32 - tx] + L[0]",
                                  kSync,
                                  "B[bx * 32 + tx] = W[31 - tx] + W[tx + 32] + M[1] - M[0]"};
    if (!barriers) std::erase(body, kSync);
    auto report = checked(kernel(body, more));
    EXPECT_EQ(report.status, Status::Verified) << describe(report);
    EXPECT_EQ(report.compared, 128);
  }
}

// What an `if`, a loop or a store decides by the number of a virtual thread is done for one after another, as TVM
// interleaves them; local memory each has for itself, and the barrier that only one of them has is met by all threads.
TEST(HandWritten, VirtualThreadsTakeTurnsAtWhatTheirNumberDecides) {
  const std::string more = "L = T.alloc_buffer((1,), \"float32\", scope=\"local\")\n    ";
  const std::vector<std::vector<std::string>> bodies{
      {"if vx * 32 + tx < 50:", "    B[tx] = A[vx * 32 + tx]", "    B[tx + 32] = B[tx + 32] * T.float32(2) + B[tx]"},
      {"for k in range(vx + 1):", "    S[tx] = S[tx] * T.float32(2)", "    S[tx] = S[tx] + T.float32(1)",
       "B[tx] = S[tx]"},
      {"L[0] = A[tx]", "if vx * 32 + tx < 50:", "    L[0] = L[0] * T.float32(2)", "    L[0] = L[0] + T.float32(1)",
       "B[vx * 32 + tx] = L[0]"},
      {"if vx == 0:", "    L[0] = A[tx]", "else:", "    L[0] = A[tx + 32]", "B[vx * 32 + tx] = L[0]"},
      {"if vx == 0:", std::string("    ") + kSync, "B[vx * 32 + tx] = S[31 - tx]"},
      {"B[tx] = B[tx] + A[vx * 32 + tx]", "B[tx + 32] = B[tx] + B[tx + 32]"},
      {"L[0] = A[tx]", "B[tx] = B[tx] + L[0]"},
      {"L[0] = A[tx]", "if L[0] < T.float32(1):", "    B[tx] = B[tx] * T.float32(2) + L[0]",
       "    B[tx] = B[tx] + L[0]"},
      {"B[tx] = B[tx] + A[vx * 32 + tx]", "if B[tx] < T.float32(1):", "    B[tx + 32] = B[tx + 32] * T.float32(3)",
       "    B[tx + 32] = B[tx + 32] + T.float32(1)"}};
  for (const std::vector<std::string>& body : bodies) {
    std::vector<std::string> lines{"S[tx] = A[bx * 32 + tx]", "B[tx] = S[tx]", "B[tx + 32] = S[tx]", kSync,
                                   "for vx in T.thread_binding(2, \"vthread.x\"):"};
    for (const std::string& line : body) lines.push_back("    " + line);
    std::string text = kernel(lines, more);
    text.replace(text.find("binding(4"), 9, "binding(1");
    const Report report = checked(text);
    EXPECT_EQ(report.status, Status::Verified) << body.front() << ": " << describe(report);
    EXPECT_EQ(report.compared, 64) << body.front();
  }
}

// A sum that virtual threads share, of elements that each has in registers of its own: added once.
TEST(HandWritten, VirtualThreadsAddOnceToWhatTheyShare) {
  const Report report = checked(tests::programText("rows_times_their_sum"), R"(c = sch.get_block("C")
r = sch.get_block("R")
i, j = sch.get_loops(c)
v, j1 = sch.split(j, [2, None])
sch.reorder(v, i, j1)
sch.bind(v, "vthread.x")
sch.bind(i, "threadIdx.x")
sch.set_scope(r, 0, "shared")
sch.compute_at(r, v)
a = sch.cache_read(r, 0, "local")
sch.bind(sch.get_loops(r)[1], "threadIdx.x")
sch.compute_at(a, sch.get_loops(r)[-1])
)");
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

// What doesn't depend on the number is done once, as TVM does it, in whatever memory.
TEST(HandWritten, VirtualThreadsDoOnceWhatTheirNumberDoesNotDecide) {
  for (const char* sum : {"L[0]", "O[tx + 32]"}) {
    const Report report = checked(tests::programText("sum_of_virtual_threads", {{"SUM", sum}}));
    EXPECT_EQ(report.status, Status::Verified) << sum << ": " << describe(report);
  }
}

TEST(HandWritten, OfTwoBarriersOneMissingIsARace) {
  auto report = checked(kernel({"S[tx] = A[bx * 32 + tx]", kSync, "B[bx * 32 + tx] = S[31 - tx]", "S[tx] = A[tx]",
                                kSync, "B[bx * 32 + tx] = B[bx * 32 + tx] + S[(tx + 1) % 32]"}));
  EXPECT_EQ(report.status, Status::Faults);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Finding::Kind::RaceInBlock);
  EXPECT_EQ(report.findings[0].buffer, "S");
  EXPECT_EQ(report.findings[0].threads.size(), 2u);
  EXPECT_THAT(describe(report).english(), HasSubstr("the program itself: race inside a block"));
}

// A state may have written what the original reads without: then nobody knows what is right, but of what follows from
// that only.
TEST(HandWritten, AnOutputThatFollowsFromAnUninitialisedReadHidesNoOther) {
  const auto report = [](const std::vector<std::string>& original, const std::vector<std::string>& state) {
    const auto text = [](std::vector<std::string> body) {
      body.insert(body.begin(), "S[tx] = A[bx * 32 + tx]");
      std::string all = kernel(body, "L = T.alloc_buffer((1,), \"float32\", scope=\"local\")");
      return all.insert(all.find("):"), ", C: T.Buffer((128,), \"float32\")");
    };
    return check(parse(text(original)), parse(text(state))).value();
  };
  const std::string fromLocal = "B[bx * 32 + tx] = L[0] + S[31 - tx]", right = "C[bx * 32 + tx] = S[31 - tx]",
                    wrong = "C[bx * 32 + tx] = S[tx]", write = "L[0] = A[tx]";
  const Report ok = report({fromLocal, right}, {write, fromLocal, right});
  EXPECT_EQ(ok.status, Status::Faults) << describe(ok);
  EXPECT_EQ(ok.compared, 128) << describe(ok);
  EXPECT_THAT(describe(ok).english(), HasSubstr("the program itself: read of what was never written"));
  const Report off = report({fromLocal, right}, {write, fromLocal, wrong});
  EXPECT_EQ(off.status, Status::Wrong) << describe(off);
  EXPECT_EQ(off.first->buffer, "C");
  // Of one output, too; and what is stored, or where, may follow from it.
  const std::string some = "if tx < 8:", others = "else:";
  const std::vector<std::vector<std::string>> bodies{
      {"    B[bx * 32 + tx] = L[0]"},
      {"    B[bx * 32 + tx] = T.float32(1)", "    if L[0] < T.float32(1):", "        B[bx * 32 + tx] = T.float32(2)"}};
  for (const std::vector<std::string>& body : bodies) {
    std::vector<std::string> original{some};
    original.insert(original.end(), body.begin(), body.end());
    original.insert(original.end(), {others, "    B[bx * 32 + tx] = S[31 - tx]", wrong});
    std::vector<std::string> state = original;
    state.insert(state.begin(), write);
    EXPECT_EQ(report(original, state).status, Status::Faults) << body.front();
    state[state.size() - 2] = "    B[bx * 32 + tx] = S[tx]";
    const Report partly = report(original, state);
    EXPECT_EQ(partly.status, Status::Wrong) << describe(partly);
    EXPECT_GE(partly.first->element.front() % 32, 8);
  }
}

TEST(HandWritten, LocalMemoryIsTheThreadsOwn) {
  auto report = checked(kernel({"L[0] = A[bx * 32 + tx]", "S[tx] = L[0]", kSync, "B[bx * 32 + tx] = L[0] + S[31 - tx]"},
                               "L = T.alloc_buffer((1,), \"float32\", scope=\"local\")"));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

TEST(HandWritten, ABarrierThatSomeThreadsMissIsADeadlock) {
  auto report = checked(
      kernel({"S[tx] = A[bx * 32 + tx]", "if tx < 16:", std::string("    ") + kSync, "B[bx * 32 + tx] = S[tx]"}));
  EXPECT_EQ(report.status, Status::Faults);
  ASSERT_EQ(report.findings.size(), 1u) << describe(report);
  EXPECT_EQ(report.findings[0].kind, Finding::Kind::Deadlock);
  EXPECT_EQ(report.findings[0].threads[1][0], 16);
}

TEST(HandWritten, ABarrierOfAnotherScopeIsRefusedByName) {
  const std::string text =
      kernel({"S[tx] = A[bx * 32 + tx]", "T.tvm_storage_sync(\"global\")", "B[bx * 32 + tx] = S[tx]"});
  auto report = check(parse(text), parse(text));
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message.english(), HasSubstr("T.tvm_storage_sync(\"global\")"));
}

// --- declarations ---

std::string declaredCopy(const std::string& reads, const std::string& writes, const std::string& statement) {
  return tests::programText("declared_copy", {{"READS", reads}, {"WRITES", writes}, {"STATEMENT", statement}});
}

TEST(Declarations, ABlockThatReadsMoreThanItSaysIsTold) {
  auto report = checked(declaredCopy("A[vi, vj]", "B[vi, vj]", "B[vi, vj] = A[vi, T.min(vj + 1, 63)]"));
  EXPECT_EQ(report.status, Status::Faults);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Finding::Kind::UndeclaredAccess);
  EXPECT_EQ(report.findings[0].blockName, "B");
  EXPECT_EQ(report.findings[0].buffer, "A");
  EXPECT_FALSE(report.findings[0].write);
  EXPECT_THAT(describe(report).english(), HasSubstr("outside the regions of its T.reads"));
}

TEST(Declarations, ABlockThatWritesMoreThanItSaysIsTold) {
  auto report = checked(declaredCopy("A[vi, vj]", "B[vi, vj]", "B[vi, 63 - vj] = A[vi, vj]"));
  EXPECT_EQ(report.status, Status::Faults);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_TRUE(report.findings[0].write);
}

TEST(Declarations, OnlyInOneRowIsTold) {
  auto report = checked(declaredCopy("A[vi, vj]", "B[vi, vj]", "B[vi, vj] = A[T.if_then_else(vi == 63, 0, vi), vj]"));
  EXPECT_EQ(report.status, Status::Faults) << describe(report);
}

TEST(Declarations, WiderOnesAreNoLie) {
  auto report = checked(declaredCopy("A[0:64, vj]", "B[vi, 0:64]", "B[vi, vj] = A[63 - vi, vj]"));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

TEST(Declarations, WhatAConditionKeepsOutIsNotRead) {
  auto report = checked(declaredCopy("A[vi, T.max(vj - 1, 0)]", "B[vi, vj]",
                                     "B[vi, vj] = T.if_then_else(0 < vj, A[vi, vj - 1], T.float32(0))"));
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
}

// --- operations without a result ---

std::string integers(const std::string& value) {
  return tests::programText("integers_of_integers", {{"VALUE", value}});
}
const std::string kThreads = tests::scheduleText("threads_of_one_axis", {{"BLOCK", "B"}});

TEST(Operations, DivisionByZeroIsAFaultWithItsPlace) {
  for (const char* value : {"A[vi] // (vi - 40)", "A[vi] % (vi - 40)", "T.truncdiv(A[vi], vi - 40)"}) {
    for (const std::string& lines : {std::string(), kThreads}) {
      auto report = checked(integers(value), lines);
      EXPECT_EQ(report.status, Status::Faults) << value;
      ASSERT_FALSE(report.findings.empty()) << value;
      EXPECT_EQ(report.findings[0].kind, Finding::Kind::DivisionByZero);
      EXPECT_EQ(report.findings[0].blockName, "B");
      EXPECT_EQ(report.findings[0].buffer, "B");
      EXPECT_THAT(describe(report).english(), HasSubstr("divides by 0 for what it writes to B"));
    }
  }
}

TEST(Operations, AShiftPastTheWidthIsAFault) {
  for (const char* value : {"T.shift_left(A[vi], vi)", "T.shift_right(A[vi], vi)", "T.shift_left(A[vi], vi - 40)"}) {
    auto report = checked(integers(value), kThreads);
    EXPECT_EQ(report.status, Status::Faults) << value;
    ASSERT_FALSE(report.findings.empty()) << value;
    EXPECT_EQ(report.findings[0].kind, Finding::Kind::ShiftTooFar);
    EXPECT_EQ(report.findings[0].elements, 32);
  }
}

TEST(Operations, BehindAConditionTheyAreNoFault) {
  for (const char* value :
       {"T.if_then_else(vi != 40, A[vi] // (vi - 40), 0)", "T.if_then_else(vi < 32, T.shift_left(A[vi], vi), 0)",
        "T.if_then_else(vi != 40 and A[vi] // (vi - 40) > 0, 1, 0)"}) {
    for (const std::string& lines : {std::string(), kThreads}) {
      auto report = checked(integers(value), lines);
      EXPECT_EQ(report.status, Status::Verified) << value << ": " << describe(report);
    }
  }
}

TEST(Operations, InputsThatDivideAreNotDrawnAsZero) {
  const std::string text = tests::programText("quotients");
  auto report = checked(text, kThreads);
  EXPECT_EQ(report.status, Status::Verified) << describe(report);
  EXPECT_THAT(describe(report).english(), HasSubstr("with D from 1 to "));
}

// --- one element, one block ---

const std::string kRows = tests::scheduleText("blocks_of_rows", {{"BLOCK", "C"}});

// One element of 256 × 256 is another; found within the usual budget.
TEST(Hidden, OneWrongElementOf65536) {
  const std::string text = matmul(256, 256, 64);
  std::string wrong = text;
  const std::string update = "C[vi, vj] + T.Cast";
  wrong.replace(wrong.find(update), update.size(),
                "C[vi, vj] + T.if_then_else(vi == 77 and vj == 33 and vk == 5, T.float32(1), T.float32(0)) + T.Cast");
  auto report = check(parse(text), scheduled(wrong, kRows));
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Wrong) << describe(*report);
  ASSERT_TRUE(report->first);
  EXPECT_EQ(report->first->element, (std::vector<std::int64_t>{77, 33}));
}

// 4096 blocks, of which a budget as short as this one gives a few hundred at most.
Options shortly() {
  Options o;
  o.budget = 0.1;
  return o;
}
std::string replacedIn(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST(Hidden, AnElementOfARowThatChanceWouldNotDraw) {
  const std::string text = matmul(4096, 64, 256), update = "C[vi, vj] + T.Cast";
  for (const char* where : {"vi == 2999 and vj == 33", "vi >= 3072 and vi < 3073", "T.min(vi, 4000) < vi"}) {
    const std::string wrong = replacedIn(
        text, update, "C[vi, vj] + T.if_then_else(" + std::string(where) + ", T.float32(1), T.float32(0)) + T.Cast");
    auto report = check(parse(text), scheduled(wrong, kRows), shortly());
    ASSERT_TRUE(report) << report.error().message.english();
    EXPECT_TRUE(report->sampled);
    EXPECT_EQ(report->status, Status::Wrong) << where << "\n" << describe(*report);
  }
}

TEST(Hidden, ARaceBetweenBlocksFarApart) {
  const std::string text = matmul(4096, 64, 256);
  const std::string wrong = replacedIn(text, "C[vi, vj]", "C[vi % 2048, vj]");
  auto report = check(parse(text), scheduled(wrong, kRows), shortly());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_TRUE(report->sampled);
  ASSERT_FALSE(report->findings.empty()) << describe(*report);
  EXPECT_EQ(report->findings[0].kind, Finding::Kind::RaceBetweenBlocks);
  EXPECT_NE(report->status, Status::Partly);
}

TEST(Hidden, APartIsNeverCalledVerified) {
  const std::string text = matmul(4096, 64, 256);
  auto report = check(parse(text), scheduled(text, kRows), shortly());
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_EQ(report->status, Status::Partly);
  EXPECT_STREQ(nameOf(report->status), "partly");
  EXPECT_TRUE(report->findings.empty());
  EXPECT_THAT(describe(*report).english(), HasSubstr("nothing wrong in the part looked at: "));
  EXPECT_THAT(describe(*report).english(), HasSubstr(" of 4096 blocks of main_kernel"));
  EXPECT_THAT(describe(*report).english(), testing::Not(HasSubstr("verified")));
}

TEST(Hidden, ARunThatIsStoppedSaysSo) {
  const std::string text = matmul(256, 256, 256);
  std::stop_source stop;
  stop.request_stop();
  Options options;
  options.sample = false;
  options.stop = stop.get_token();
  auto report = check(parse(text), parse(text), options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, "Cancelled");
}

}  // namespace
}  // namespace loom::exec::judgement_test
