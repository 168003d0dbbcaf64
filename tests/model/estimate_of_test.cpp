#include <gtest/gtest.h>

#include "tests/model/lesson_lines.h"
#include "tests/model/programs.h"

namespace loom::model::estimate_of_test {
namespace {

void expectSame(const device::Kernel& kernel, const Device& device) {
  const auto alone = estimateOf(accessesOf(kernel), device);
  const auto whole = modelOf(kernel, device).estimate;
  ASSERT_EQ(alone.has_value(), whole.has_value());
  if (!whole) {
    EXPECT_EQ(alone.error().code, whole.error().code);
    EXPECT_EQ(alone.error().message.english(), whole.error().message.english());
    return;
  }
  EXPECT_EQ(alone->microseconds, whole->microseconds);
  EXPECT_EQ(alone->busiest, whole->busiest);
}

TEST(EstimateOf, IsTheModelsEstimate) {
  const std::string hopper = "assets/lessons/hopper";
  for (const char* device : {"h200", "a100_80"}) {
    expectSame(copy(3, 1, "float16").kernels.front(), deviceNamed(device));
    expectSame(tensorCore().kernels.front(), deviceNamed(device));
    const device::Program large =
        lowered(readText(hopper + "/function.py"),
                readText(hopper + "/steps/10_turns.sched.py") + readText(hopper + "/steps/11_in_flight.sched.py"));
    expectSame(large.kernels.front(), deviceNamed(device));
  }
}

TEST(EstimateOf, HasTheModelsErrors) {
  device::Program program = tensorCore();
  device::Kernel& kernel = program.kernels.front();
  kernel.draft = true;
  expectSame(kernel, deviceNamed("h200"));
  EXPECT_FALSE(estimateOf(accessesOf(kernel), deviceNamed("h200")));
  kernel.draft = false;
  kernel.block = {1024, 2, 1};
  expectSame(kernel, deviceNamed("h200"));
  EXPECT_FALSE(estimateOf(accessesOf(kernel), deviceNamed("h200")));
}

}  // namespace
}  // namespace loom::model::estimate_of_test
