#include <gtest/gtest.h>

#include "app/session/state_model.h"
#include "tests/document/scheduled.h"
#include "tests/model/programs.h"

namespace loom::session::longest_kernel_test {
namespace {

// The product has no buffer of its own, what takes its result on has one.
constexpr const char* kTwoKernels = R"(c = sch.get_block("C")
i, j, k = sch.get_loops(c)
sch.bind(i, "blockIdx.x")
sch.bind(j, "threadIdx.x")
d = sch.get_block("D")
m, n = sch.get_loops(d)
sch.bind(m, "blockIdx.x")
sch.bind(n, "threadIdx.x")
r = sch.cache_read(d, 0, "local")
sch.compute_at(r, n))";

TEST(LongestKernel, IsTheOneThatIsPredictedToTakeLongest) {
  auto target = document::openFunction(tests::programText("product_then_relu"), "product.py");
  ASSERT_TRUE(target);
  const auto applied = target->history.apply(0, kTwoKernels, document::environment(), "steps");
  ASSERT_TRUE(applied);
  ASSERT_FALSE(applied->refusal) << applied->refusal->message.english();
  const auto text =
      std::make_shared<const document::KernelText>(document::makeKernel(target->history.node(applied->node).state));
  ASSERT_TRUE(text->program) << text->problem->message.english();
  const auto& kernels = text->program->kernels;
  ASSERT_EQ(kernels.size(), 2U);
  ASSERT_LT(kernels[0].allocations.size(), kernels[1].allocations.size());
  const model::Device device = model::deviceNamed("h200");
  EXPECT_EQ(longestKernel(*text->program, &device), 0U);
  EXPECT_EQ(longestKernel(*text->program, nullptr), 1U) << "without times";
  const StateModel model = stateModelOf(text, {&device});
  EXPECT_EQ(model.which, 0U);
  ASSERT_NE(model.kernel, nullptr);
  EXPECT_EQ(model.kernel->accesses.kernel->name, kernels[0].name);
}

}  // namespace
}  // namespace loom::session::longest_kernel_test
