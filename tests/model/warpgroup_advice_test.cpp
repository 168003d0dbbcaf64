#include "core/model/warpgroup_advice.h"

#include <gtest/gtest.h>

#include "tests/model/programs.h"

namespace loom::model::warpgroup_advice_test {
namespace {

// The subject of the advice on a state of a Hopper lesson, after these chapters; "": there is none.
std::string nextAfter(const std::string& lesson, std::initializer_list<const char*> chapters,
                      const char* device = "h200") {
  const std::string folder = "assets/lessons/" + lesson;
  std::string lines;
  for (const char* chapter : chapters) lines += readText(folder + "/steps/" + chapter + ".sched.py");
  const device::Program program = lowered(readText(folder + "/function.py"), lines);
  const Device d = deviceNamed(device);
  const auto advice = warpgroupAdvice(modelOf(program.kernels.front(), d), d);
  if (!advice) return "";
  EXPECT_EQ(advice->code, "warpgroups");
  EXPECT_GT(advice->microseconds, 0);
  EXPECT_GT(advice->numbers.at("tensor"), 0);
  EXPECT_FALSE(advice->message.empty());
  return advice->subject;
}

TEST(WarpgroupAdvice, NamesTheNextDecisionOfTheLadder) {
  EXPECT_EQ(nextAfter("hopper_1024", {"02_one"}), "ring");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring"}), "flight");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring", "05_in_flight"}), "loaders");
  EXPECT_EQ(nextAfter("hopper_1024", {"03_tile", "04_ring", "05_in_flight", "06_roles"}), "");
  EXPECT_EQ(nextAfter("hopper", {"03_large"}), "ring");
  EXPECT_EQ(nextAfter("hopper", {"03_large", "04_ring"}), "loaders");
  EXPECT_EQ(nextAfter("hopper", {"03_large", "04_ring", "05_roles"}), "tile");
  EXPECT_EQ(nextAfter("hopper", {"07_raster"}), "stays");
  EXPECT_EQ(nextAfter("hopper", {"08_persistent"}), "");
}

TEST(WarpgroupAdvice, LeadsFromWarpsAndThreadsToWarpgroups) {
  const Device hopper = deviceNamed("h200"), older = deviceNamed("a100_80");
  const device::Program warps = tensorCore();
  const auto advice = warpgroupAdvice(modelOf(warps.kernels.front(), hopper), hopper);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->subject, "warps");
  EXPECT_FALSE(warpgroupAdvice(modelOf(warps.kernels.front(), older), older));
  EXPECT_EQ(nextAfter("hopper_1024", {}), "cores") << "the triple loop of float16";
  EXPECT_EQ(nextAfter("cuda_cores", {}), "") << "factors of 32 bits";
}

TEST(WarpgroupAdvice, IsNoneForAKernelThatOnlyCopies) {
  const device::Program program = copy(1, 1, "float16");
  const Device d = deviceNamed("h200");
  EXPECT_FALSE(warpgroupAdvice(modelOf(program.kernels.front(), d), d));
}

}  // namespace
}  // namespace loom::model::warpgroup_advice_test
