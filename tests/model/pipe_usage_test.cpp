// What an instruction asks of each pipe, and what local memory moves.
#include "core/model/pipe_usage.h"

#include <gtest/gtest.h>

#include "core/model/estimate.h"
#include "core/model/local_memory.h"
#include "tests/model/programs.h"

namespace loom::model::pipe_usage_test {
namespace {

sass::Kernel code(const std::string& instructions) { return sass::parse(".text.k:\n" + instructions)->front(); }
sass::Instruction one(const std::string& instruction) {
  return code("        /*0000*/   " + instruction + " ;\n").instructions.front();
}

TEST(PipeUsage, IntegersHaveHalfTheLanes) {
  EXPECT_EQ(pipeUsageOf(one("PRMT R1, R2, 0x5410, R3"), 8, nullptr).integer, 8);
  EXPECT_EQ(pipeUsageOf(one("IMAD R1, R2, R3, R4"), 8, nullptr).integerProducts, 8);
  EXPECT_EQ(pipeUsageOf(one("IDP.4A.S8.S8 R1, R2, R3, R1"), 8, nullptr).integerProducts, 8);
  EXPECT_EQ(pipeUsageOf(one("UIADD3 UR4, UR4, 0x1, URZ"), 8, nullptr).integer, 0) << "once for the warp";
  EXPECT_EQ(pipeUsageOf(one("FFMA R1, R2, R3, R1"), 8, nullptr).integer, 0);
  KernelAccesses accesses;
  const device::Kernel kernel;
  accesses.kernel = &kernel;
  EXPECT_EQ(pipeRates(accesses, deviceNamed("h200"), {}, 64).integer, 0.5);
  EXPECT_EQ(pipeRates(accesses, deviceNamed("h200"), {}, 2).integer, 1) << "two of four sub-partitions have a warp";
}

TEST(LocalMemory, CountsSectorsAndWhatAThreadHas) {
  const sass::Kernel k = code(
      "        /*0000*/   STL.64 [R1+0x98], R4 ;\n        /*0010*/   LDL.LU R4, [R1] ;\n"
      "        /*0020*/   FFMA R1, R2, R3, R1 ;\n");
  CompiledCount compiled;
  compiled.executions = {10, 20, 30};
  const LocalTraffic local = localTrafficOf(k, compiled);
  EXPECT_EQ(local.bytesOfThread, 0x98 + 8);
  EXPECT_EQ(local.stored, 10 * 8) << "two words of 32 lanes";
  EXPECT_EQ(local.loaded, 20 * 4);
  EXPECT_EQ(pipeUsageOf(k.instructions.front(), 10, nullptr).lines, 20);
  EXPECT_EQ(localTrafficOf(code("        /*0000*/   FFMA R1, R2, R3, R1 ;\n"), {}).bytesOfThread, 0);
}

TEST(LocalMemory, ACacheKeepsWhatItHasRoomFor) {
  EXPECT_EQ(shareBeyond(0, 100), 0);
  EXPECT_EQ(shareBeyond(100, 100), 0);
  EXPECT_EQ(shareBeyond(400, 100), 0.75);
  EXPECT_EQ(shareBeyond(400, -5), 1);
}

}  // namespace
}  // namespace loom::model::pipe_usage_test
