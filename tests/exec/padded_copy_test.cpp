// Copies that pad with zeros: past registers, cp.async whose source has no bytes where a condition doesn't hold, and
// of single elements, loads under a predicate.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/device/operation.h"
#include "core/lower/lower.h"
#include "tests/exec/device_programs.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::padded_copy_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Padded {
  ir::Function function;
  device::Program program;
  std::string cuda;
  Padded(int m, int n, int k, const std::string& type = "float32",
         const std::string& schedule = tests::scheduleText("padded_staged_copies"))
      : function(parse(matmul(m, n, k, type))) {
    auto made = lower::lower(scheduled(matmul(m, n, k, type), schedule));
    if (!made) throw std::runtime_error(made.error().message.english());
    program = *made;
    cuda = codegen::generate(program).text;
  }
  Execution run() const {
    auto reference = Reference::create(function, 1).value();
    return executionOf(program, reference);
  }
};

// The schedule's lines before this one.
std::string scheduleUntil(const std::string& line) {
  const std::string text = tests::scheduleText("padded_staged_copies");
  return text.substr(0, text.find(line));
}

TEST(PaddedCopies, AreStartedAheadAndRight) {
  for (const auto& [m, n, k] : {std::tuple{30, 28, 44}, std::tuple{18, 20, 40}, std::tuple{33, 36, 52}}) {
    const Padded p(m, n, k);
    EXPECT_THAT(p.cuda, HasSubstr("cp_async_16_or_zeros(A_pad_shared, ")) << p.cuda;
    EXPECT_THAT(p.program.remarks, IsEmpty()) << p.program.remarks.front().text.english();
    const Execution o = p.run();
    EXPECT_EQ(o.wrong, 0) << p.cuda;
    EXPECT_THAT(o.faults, IsEmpty());
  }
}

// Four elements that a limit parts are two copies, or four.
TEST(PaddedCopies, AreAsWideAsTheConditionAllows) {
  for (const auto& [n, k, row] :
       {std::tuple{26, 42, "cp_async_8_or_zeros"}, std::tuple{27, 43, "cp_async_4_or_zeros"}}) {
    const Padded p(30, n, k);
    EXPECT_THAT(p.cuda, HasSubstr(row)) << p.cuda;
    EXPECT_THAT(p.cuda, Not(HasSubstr("cp_async_16"))) << p.cuda;
    const Execution o = p.run();
    EXPECT_EQ(o.wrong, 0) << p.cuda;
    EXPECT_THAT(o.faults, IsEmpty());
  }
}

TEST(PaddedCopies, OfTooFewBytesAreDoneAtOnceAndSaySo) {
  const Padded p(30, 27, 43, "float16");
  EXPECT_TRUE(std::ranges::any_of(p.program.remarks, [](const device::Remark& r) {
    return r.text.english().find("it is of 2 bytes at once") != std::string::npos;
  }));
  EXPECT_EQ(p.run().wrong, 0) << p.cuda;
}

// Loads under a predicate: a branch around each would have it wait for the one before.
TEST(PaddedCopies, OfSingleElementsHaveNoBranch) {
  for (const auto& [type, bytes] : {std::pair{"int8", 1}, std::pair{"float16", 2}, std::pair{"bfloat16", 2}}) {
    const Padded p(30, 27, 43, type);
    const std::string load = fmt::format("] = load_{}_or_zeros(&", bytes);
    EXPECT_THAT(p.cuda, AllOf(HasSubstr(load + "A["), HasSubstr(load + "B["))) << p.cuda;
    EXPECT_THAT(p.cuda, AllOf(Not(HasSubstr(" ? A[")), Not(HasSubstr(" ? B[")))) << p.cuda;
    const Execution o = p.run();
    EXPECT_EQ(o.wrong, 0) << p.cuda;
    EXPECT_THAT(o.faults, IsEmpty());
  }
}

// Nor have those that nobody wanted to be started ahead, of any width.
TEST(PaddedCopies, OfSingleElementsDoneAtOnceHaveNoBranch) {
  for (const auto& [type, bytes] : {std::pair{"float32", 4}, std::pair{"float64", 8}}) {
    const Padded p(30, 27, 43, type, scheduleUntil("sch.annotate(k0, \"software_pipeline_async"));
    EXPECT_THAT(p.cuda, HasSubstr(fmt::format("] = load_{}_or_zeros(&A[", bytes))) << p.cuda;
    EXPECT_EQ(p.run().wrong, 0) << p.cuda;
  }
}

// One element is as well behind a branch.
TEST(PaddedCopies, OutsideOfUnrolledLoopsKeepTheirCondition) {
  const Padded p(30, 27, 43, "float16", scheduleUntil("sch.vectorize(x2)"));
  EXPECT_THAT(p.cuda, AllOf(HasSubstr(" ? A["), Not(HasSubstr("load_2_or_zeros"))));
  EXPECT_EQ(p.run().wrong, 0) << p.cuda;
}

// The load is one of memory that stays as it is, and asks no cache whether it did.
TEST(PaddedCopies, OfWhatTheKernelWritesKeepTheirCondition) {
  const auto program = lower::lower(parse(tests::programText("padded_and_turned_in_place")));
  ASSERT_TRUE(program) << program.error().message.english();
  const std::string cuda = codegen::generate(*program).text;
  EXPECT_THAT(cuda, AllOf(HasSubstr(" ? X["), Not(HasSubstr("load_2_or_zeros")))) << cuda;
}

// Without the condition they read beyond the matrix.
TEST(PaddedCopies, WhoseConditionIsForgottenReadOutside) {
  Padded p(30, 28, 44);
  const std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
    if (s->kind != dev::StmtKind::Operation) return dev::mapChildren(s, walk);
    return dev::edit<dev::OperationNode>(s, [](dev::OperationNode& n) { n.values = {ir::boolImm(true)}; });
  };
  p.program.kernels[0].body = walk(p.program.kernels[0].body);
  EXPECT_THAT(p.run().faults, testing::Contains("out_of_bounds"));
}

TEST(PaddedCopies, WithoutTheirWaitAreFound) {
  Padded p(30, 28, 44);
  const std::function<dev::Stmt(const dev::Stmt&)> walk = [&](const dev::Stmt& s) -> dev::Stmt {
    const bool wait = s->kind == dev::StmtKind::Sync && dev::as<dev::SyncNode>(s)->token == dev::Token::AsyncCopies &&
                      dev::as<dev::SyncNode>(s)->does == dev::SyncNode::Does::Wait;
    return wait ? nullptr : dev::mapChildren(s, walk);
  };
  p.program.kernels[0].body = walk(p.program.kernels[0].body);
  EXPECT_THAT(p.run().faults, testing::Contains("before_wait"));
}

TEST(PaddedCopies, AreCompiled) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  if (!compiler) GTEST_SKIP() << compiler.error().message.english();
  for (int k : {42, 43, 44}) {
    const Padded p(30, k - 16, k);
    auto binary = (*compiler)->compile({p.cuda, "sm_80", false, {}});
    EXPECT_TRUE(binary) << binary.error().message.english() << p.cuda;
  }
}

}  // namespace
}  // namespace loom::exec::padded_copy_test
