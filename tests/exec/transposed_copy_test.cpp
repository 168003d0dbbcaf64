// A copy of which one side alone has its lanes together: a vector there, element by element on the other side.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/execution.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::transposed_copy_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Expects the kernel to compute what the function does and returns its text.
std::string rightText(const std::string& schedule) {
  const std::string function = matmul(64, 64, 64);
  const auto program = lower::lower(scheduled(function, schedule));
  if (!program) throw std::runtime_error(program.error().message.english());
  const ir::Function original = parse(function);
  auto reference = Reference::create(original, 1).value();
  const Execution made = executionOf(*program, reference);
  const std::string text = codegen::generate(*program).text;
  EXPECT_EQ(made.wrong, 0) << text;
  EXPECT_THAT(made.faults, IsEmpty()) << text;
  return text;
}

TEST(TransposedCopies, ReadAVectorAndStoreItsElements) {
  const std::string text =
      rightText(tests::scheduleText("row_reads") + "sch.transform_layout(a, (\"write\", 0), lambda m, k: (k, m))\n");
  EXPECT_THAT(text, HasSubstr("*reinterpret_cast<float4*>(A_shared_lanes) = *reinterpret_cast<const float4*>(&A["));
  EXPECT_THAT(text, HasSubstr("] = A_shared_lanes["));
}

TEST(TransposedCopies, GatherElementsAndStoreAVector) {
  const std::string text = rightText(tests::scheduleText("column_reads"));
  EXPECT_THAT(text, HasSubstr("B_shared_lanes[")) << text;
  EXPECT_THAT(text, HasSubstr("= *reinterpret_cast<float4*>(B_shared_lanes)")) << text;
}

// Each virtual thread has its own array.
TEST(TransposedCopies, OfVirtualThreadsDontMeet) {
  const std::string text = rightText(tests::scheduleText("virtual_threads_copy_columns"));
  EXPECT_THAT(text, HasSubstr("_lanes["));
}

// What stays in registers on its wide side gains nothing.
TEST(TransposedCopies, OfRegistersStayAsTheyAre) {
  EXPECT_THAT(rightText(tests::scheduleText("virtual_threads_and_vectors")), Not(HasSubstr("_lanes")));
}

}  // namespace
}  // namespace loom::exec::transposed_copy_test
