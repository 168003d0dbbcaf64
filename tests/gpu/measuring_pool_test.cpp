#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/gpu/measuring_pool.h"

namespace loom::gpu::measuring_pool_test {
namespace {

using testing::ElementsAre;

TEST(WorkerCommands, AreRepeatedByTheCountAtTheirEnd) {
  EXPECT_THAT(*workerCommands("ssh host tileloom worker"), ElementsAre("ssh host tileloom worker"));
  EXPECT_THAT(*workerCommands(" a b  ×3 "), ElementsAre("a b", "a b", "a b"));
  EXPECT_THAT(*workerCommands("a x2"), ElementsAre("a", "a"));
  EXPECT_THAT(*workerCommands("run x"), ElementsAre("run x")) << "no count";
  EXPECT_THAT(*workerCommands("x2"), ElementsAre("x2")) << "a command of that name";
  for (const char* bad : {"", "   ", "a x0", "a ×1001", "a x99999999999"})
    EXPECT_EQ(workerCommands(bad).error().code, "ParseError") << bad;
}

TEST(WorkerCommands, OfThisMachineHaveAGpuEach) {
  unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(localWorkers("w", 2), ElementsAre("env CUDA_VISIBLE_DEVICES='0' w", "env CUDA_VISIBLE_DEVICES='1' w"));
  setenv("CUDA_VISIBLE_DEVICES", "5,7", 1);
  EXPECT_THAT(localWorkers("w", 2), ElementsAre("env CUDA_VISIBLE_DEVICES='5' w", "env CUDA_VISIBLE_DEVICES='7' w"));
  EXPECT_THAT(localWorkers("w", 1), ElementsAre("env CUDA_VISIBLE_DEVICES='5' w"));
  setenv("CUDA_VISIBLE_DEVICES", "3", 1);
  EXPECT_THAT(localWorkers("w", 2), ElementsAre("env CUDA_VISIBLE_DEVICES='3' w")) << "the others are hidden";
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_THAT(localWorkers("w", 2), testing::IsEmpty());
  unsetenv("CUDA_VISIBLE_DEVICES");
}

}  // namespace
}  // namespace loom::gpu::measuring_pool_test
