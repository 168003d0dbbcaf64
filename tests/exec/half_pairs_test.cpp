// Lanes of float16 and bfloat16 are computed two at a time, whether or not their operands lie side by side.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::half_pairs_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// C[i] = B[i] + A[i * stride] * B[0] in vectors of `lanes`. Expects the kernel to be right and returns its text.
std::string rightText(const std::string& type, int stride, int lanes) {
  const std::string function = tests::programText("halves_apart", {{"TYPE", type}, {"STRIDE", stride}});
  const std::string schedule = tests::scheduleText("vectors_of_threads", {{"LANES", lanes}});
  const auto program = lower::lower(scheduled(function, schedule));
  if (!program) throw std::runtime_error(program.error().message.english());
  auto reference = Reference::create(parse(function), 1).value();
  const Execution made = executionOf(*program, reference);
  const std::string text = codegen::generate(*program).text;
  EXPECT_EQ(made.wrong, 0) << text;
  EXPECT_THAT(made.faults, IsEmpty()) << text;
  return text;
}

TEST(HalfPairs, TakeOperandsThatLieApart) {
  const std::string text = rightText("float16", 3, 2);
  EXPECT_THAT(text, AllOf(HasSubstr("*reinterpret_cast<half2*>(&C[tx * 2]) = *reinterpret_cast<const half2*>(&B[tx * 2"
                                    "]) + half2(A[tx * 6], A[tx * 6 + 3]) * __half2half2(B[0]);"),
                          Not(HasSubstr("lane"))));
}

TEST(HalfPairs, OfFourLanesWhoseOperandsLieApartAreALoop) {
  const std::string text = rightText("float16", 3, 4);
  EXPECT_THAT(text, AllOf(HasSubstr("half2(A["), HasSubstr("#pragma unroll"), Not(HasSubstr("half result"))));
}

TEST(HalfPairs, OfWideVectorsStayInThem) {
  const std::string text = rightText("float16", 1, 8);
  EXPECT_THAT(text, AllOf(HasSubstr("alignas(16) half2 A_lanes[4];"), HasSubstr("pair < 4"),
                          HasSubstr("result[pair] = B_lanes[pair] + A_lanes[pair] * __half2half2(B[0]);")));
}

TEST(HalfPairs, AreOfBothTypesOf16BitsAndOfNoOther) {
  EXPECT_THAT(rightText("bfloat16", 3, 2),
              AllOf(HasSubstr("+ __nv_bfloat162(A["), HasSubstr("__bfloat162bfloat162(B[0])")));
  EXPECT_THAT(rightText("float32", 3, 2), Not(HasSubstr("2(A[")));
}

}  // namespace
}  // namespace loom::exec::half_pairs_test
