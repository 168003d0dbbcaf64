#include "core/gpu/probe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/compile/compile.h"

namespace loom::gpu::probe_test {
namespace {

DeviceInfo someDevice(int major, int minor = 0) {
  DeviceInfo d;
  d.major = major;
  d.minor = minor;
  d.multiprocessors = 132;
  d.l2Bytes = 60 << 20;
  return d;
}

TEST(Probe, KernelsCompileForEveryArchitectureThatHasTheirInstructions) {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) GTEST_SKIP() << toolkit.error().message.english();
  auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message.english();
  auto compiles = [&](const ProbeKernel& kernel, const char* architecture) {
    auto binary = (*compiler)->compile({kernel.source, architecture, false, {}});
    ASSERT_TRUE(binary) << kernel.name << " for " << architecture << ": " << binary.error().message.english();
    EXPECT_EQ(binary->kernels.front().spillStores, 0) << kernel.name;
  };
  for (auto [major, minor, architecture] :
       {std::tuple{7, 5, "sm_75"}, {8, 0, "sm_80"}, {9, 0, "sm_90a"}, {12, 0, "sm_120a"}}) {
    for (const CeilingProbe& p : ceilingProbes(someDevice(major, minor))) compiles(p.kernel, architecture);
  }
  for (const FragmentProbe& p : fragmentProbes()) compiles(p.kernel, "sm_90a");
}

TEST(Probe, TuringIsNotAskedForWhatAmpereBrought) {
  auto figures = [](int major, int minor) {
    std::set<std::string> names;
    for (const CeilingProbe& p : ceilingProbes(someDevice(major, minor))) {
      EXPECT_TRUE(names.insert(nameOf(p.figure)).second) << "each once: " << nameOf(p.figure);
    }
    return names;
  };
  const std::set<std::string> turing = figures(7, 5), ampere = figures(8, 0);
  EXPECT_EQ(turing.count("mma_f16_f32_tflops"), 1U);
  EXPECT_EQ(turing.count("mma_bf16_f32_tflops") + turing.count("mma_tf32_tflops"), 0U);
  EXPECT_EQ(ampere.count("mma_bf16_f32_tflops") + ampere.count("mma_tf32_tflops") + ampere.count("mma_s8_tops"), 3U);
  EXPECT_EQ(turing.count("mma_s8_tops") + turing.count("mma_s4_tops") + turing.count("mma_b1_tops"), 3U);
  EXPECT_EQ(ampere.count("mma_s4_tops") + ampere.count("mma_b1_tops"), 2U);
  EXPECT_EQ(figures(9, 0).count("mma_s4_tops"), 0U) << "Hopper has no instruction for 4 bits";
  EXPECT_EQ(figures(9, 0).count("mma_b1_tops"), 1U);
  EXPECT_EQ(figures(7, 0).count("mma_f16_f32_tflops"), 0U) << "Volta's shapes are others";
  EXPECT_EQ(ampere.count("shared_gb_per_s_measured"), 1U);
}

// The work that a rate is taken over is the machine code's own.
TEST(Probe, ReadsAndMultipliesAsOftenAsItSays) {
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
    return n;
  };
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit || !toolkit->nvdisasm) GTEST_SKIP() << "no compiler, or no disassembler";
  auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message.english();
  for (const CeilingProbe& p : ceilingProbes(someDevice(9))) {
    const bool mma = p.kernel.name.rfind("mma_", 0) == 0;
    if (!mma && p.kernel.name != "read_shared") continue;
    auto binary = (*compiler)->compile({p.kernel.source, "sm_90a", false, {}});
    ASSERT_TRUE(binary) << binary.error().message.english();
    auto sass = compile::disassemble(*toolkit, *binary, false);
    ASSERT_TRUE(sass) << sass.error().message.english();
    // The loop may be unrolled: a multiple of the 8 of a round.
    const std::size_t found =
        mma ? count(*sass, "HMMA.") + count(*sass, "IMMA.") + count(*sass, "BMMA.") : count(*sass, "LDS.128");
    EXPECT_GE(found, 8U) << p.kernel.name;
    EXPECT_EQ(found % 8, 0U) << p.kernel.name << ": " << found;
  }
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
}  // namespace loom::gpu::probe_test
