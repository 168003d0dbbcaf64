#include "core/gpu/probe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/compile/compile.h"

namespace loom::gpu {
namespace {

DeviceInfo someDevice(int major) {
  DeviceInfo d;
  d.major = major;
  d.multiprocessors = 132;
  d.l2Bytes = 60 << 20;
  return d;
}

TEST(Probe, KernelsCompileForEveryArchitectureThatHasTheirInstructions) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message;
  auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message;
  auto compiles = [&](const ProbeKernel& kernel, const char* architecture) {
    auto binary = (*compiler)->compile({kernel.source, architecture, false, {}});
    ASSERT_TRUE(binary) << kernel.name << " for " << architecture << ": " << binary.error().message;
    EXPECT_EQ(binary->kernels.front().spillStores, 0) << kernel.name;
  };
  for (auto [major, architecture] : {std::pair{7, "sm_75"}, {9, "sm_90a"}}) {
    for (const CeilingProbe& p : ceilingProbes(someDevice(major))) compiles(p.kernel, architecture);
  }
  for (const FragmentProbe& p : fragmentProbes()) compiles(p.kernel, "sm_90a");
}

TEST(Probe, TuringIsNotAskedForWhatAmpereBrought) {
  for (const CeilingProbe& p : ceilingProbes(someDevice(7))) EXPECT_NE(p.figure, model::Quantity::MmaF16F32Tflops);
}

TEST(Probe, TravelsWhole) {
  for (const CeilingProbe& p : ceilingProbes(someDevice(9))) {
    ProbeKernel back = probeFromJson(toJson(p.kernel));
    EXPECT_EQ(toJson(back), toJson(p.kernel));
    EXPECT_GT(p.work, 0);
  }
  EXPECT_THROW(probeFromJson({{"name", "x"}}), nlohmann::json::exception);
}

// The kernel reads 4 strides a round and never looks whether the last is whole.
TEST(Probe, CopiesAWholeNumberOfRoundsOfTheGrid) {
  for (int multiprocessors : {1, 40, 68, 108, 132}) {
    DeviceInfo d = someDevice(9);
    d.multiprocessors = multiprocessors;
    for (const CeilingProbe& p : ceilingProbes(d)) {
      if (p.kernel.name != "copy") continue;
      EXPECT_EQ(p.kernel.bufferBytes / 2 % (p.kernel.grid[0] * p.kernel.block[0] * 64), 0);
    }
  }
}

}  // namespace
}  // namespace loom::gpu
