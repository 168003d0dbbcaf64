// The machine code of blocks that bring each other parts of their tiles, compiled here and run for some clusters.
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/sass/countable.h"
#include "core/sass/run.h"
#include "tests/model/lesson_lines.h"

namespace loom::model::cluster_code_test {
namespace {

double executed(const sass::Kernel& sass, const sass::Run& ran, const std::string& opcode, bool multicast) {
  double all = 0;
  for (std::size_t n = 0; n < sass.instructions.size(); ++n) {
    const sass::Instruction& i = sass.instructions[n];
    if (i.opcode.starts_with(opcode) && sass::hasModifier(i.opcode, "MULTICAST") == multicast)
      all += ran.instructions[n].executions;
  }
  return all;
}

// The chapter's 4096³: 1024 tiles of 128 × 128, taken in turns by 132 blocks, two of which are a cluster; 64 steps of k
// for each.
TEST(ClusterCode, EachBlockAsksForItsPartAndTellsItsNeighbour) {
  const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit || !toolkit->nvdisasm) GTEST_SKIP() << "needs NVRTC and nvdisasm";
  const auto compiler = compile::Compiler::load(*toolkit);
  ASSERT_TRUE(compiler) << compiler.error().message.english();
  const device::Program program = lowered(readText("assets/lessons/hopper/function.py"), linesTo("hopper", "clusters"));
  const device::Kernel& kernel = program.kernels.front();
  ASSERT_EQ(kernel.blocksOfCluster(), 2);
  const auto binary = (*compiler)->compile({codegen::generate(program).text, "sm_90a", false, {}});
  ASSERT_TRUE(binary) << binary.error().message.english();
  const sass::Kernel code = sass::parse(compile::disassemble(*toolkit, *binary).value()).value().front();
  const auto ran = sass::run(code, kernel);
  ASSERT_TRUE(ran) << ran.error().message.english();
  const double steps = 1024 * 64;
  EXPECT_EQ(executed(code, *ran, "UTMALDG", false), steps) << "its own rows of the first factor";
  EXPECT_EQ(executed(code, *ran, "UTMALDG", true), steps) << "half of the second's, for both";
  double told = 0;  // another block's mbarrier: the slot has been read
  for (std::size_t n = 0; n < code.instructions.size(); ++n)
    if (code.instructions[n].opcode.starts_with("SYNCS.ARRIVE") &&
        sass::hasModifier(code.instructions[n].opcode, "RED"))
      told += ran->instructions[n].executions;
  EXPECT_EQ(told, steps);
  double flops = 0;
  for (std::size_t n = 0; n < code.instructions.size(); ++n)
    flops += ran->instructions[n].executions * sass::tensorFlops(code.instructions[n]);
  EXPECT_EQ(flops, 2.0 * 4096 * 4096 * 4096);
  EXPECT_EQ(ran->warpsRun % (2 * 12), 0) << "whole clusters";
}

}  // namespace
}  // namespace loom::model::cluster_code_test
