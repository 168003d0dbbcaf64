// Vectors of stores that a condition guards: as wide as the condition, which holds for all of their lanes or none.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::guarded_vector_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Copy {
  ir::Function function;
  device::Program program;
  std::string cuda;
  Copy(const std::string& text, const std::string& lines) {
    function = parse(text);
    auto made = lower::lower(scheduled(text, lines));
    if (!made) throw std::runtime_error(made.error().message.english());
    program = *made;
    cuda = codegen::generate(program).text;
  }
  // Of all elements, four to a thread, of which the last block has some beyond the end.
  Copy(int rows, int columns)
      : Copy(tests::programText("copy_of_a_matrix", {{"M", rows}, {"N", columns}}),
             tests::scheduleText("four_elements_a_thread")) {}
  void isRight() const {
    auto reference = Reference::create(function, 1).value();
    const Execution o = executionOf(program, reference);
    EXPECT_EQ(o.wrong, 0) << cuda;
    EXPECT_THAT(o.faults, IsEmpty()) << cuda;
  }
};

TEST(GuardedVectors, StandBehindABranchOfTheirOwn) {
  const Copy c(7, 20);
  EXPECT_THAT(c.cuda, AllOf(HasSubstr("float4"), HasSubstr("if (bx * 32 + tx < 35)"), Not(HasSubstr("#pragma unroll"))))
      << c.cuda;
  c.isRight();
}

TEST(GuardedVectors, AreNoWiderThanTheLimitAllows) {
  const Copy c(7, 22);
  EXPECT_THAT(c.cuda, AllOf(HasSubstr("float2"), HasSubstr("#pragma unroll"), Not(HasSubstr("float4")))) << c.cuda;
  c.isRight();
}

TEST(GuardedVectors, AreNoneWhereLanesDiffer) {
  const Copy c(7, 19);
  EXPECT_THAT(c.cuda, AllOf(Not(HasSubstr("float2")), Not(HasSubstr("float4")))) << c.cuda;
  c.isRight();
}

// A hundred elements, and 0 behind them: one store for both.
TEST(GuardedVectors, AreStoredOnceWhereOthersAreZero) {
  const Copy c(tests::programText("padded_vector"), tests::scheduleText("padded_vector_by_threads", {{"LANES", 4}}));
  EXPECT_THAT(c.cuda, AllOf(HasSubstr("float4 value = {};\n    if (bx * 8 + tx < 25) value = *reinterpret_cast<const "
                                      "float4*>(&A[bx * 32 + tx * 4]);\n    *reinterpret_cast<float4*>(&P["),
                            Not(HasSubstr("else"))))
      << c.cuda;
  c.isRight();
}

TEST(GuardedVectors, OfZerosAreNoWiderThanTheLimitAllows) {
  const Copy c(tests::programText("padded_vector"), tests::scheduleText("padded_vector_by_threads", {{"LANES", 8}}));
  EXPECT_THAT(c.cuda, AllOf(HasSubstr("float4 value = {};"), Not(HasSubstr("else")))) << c.cuda;
  c.isRight();
}

}  // namespace
}  // namespace loom::exec::guarded_vector_test
