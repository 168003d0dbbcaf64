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

// A request of 32 lanes with 16 bytes each, four whole lines of global memory, executed once.
CompiledAccess copyOf(double wavefronts) {
  CompiledAccess access;
  access.executions = 1;
  access.lines = 4;
  access.sectors = 16;
  access.wavefronts = wavefronts;
  return access;
}

double clocksOfMemory(const std::string& instruction, double wavefronts, double missing) {
  const CompiledAccess access = copyOf(wavefronts);
  const PipeUsage d = pipeUsageOf(one(instruction), 1, &access, missing);
  return d.lines + d.fills + d.wavefronts;
}

TEST(PipeUsage, ACopyPastL1PassesOnceForReadingAndWriting) {
  const char* past = "LDGSTS.E.BYPASS.LTC128B.128 [R8], desc[UR4][R76.64]";
  EXPECT_EQ(clocksOfMemory(past, 4, 1), 4);
  EXPECT_EQ(clocksOfMemory(past, 8, 1), 8) << "writes in conflict need more";
  EXPECT_EQ(clocksOfMemory(past, 2, 1), 4);
}

TEST(PipeUsage, WhatL1FetchesPassesOnceMore) {
  EXPECT_EQ(clocksOfMemory("LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", 0, 0), 4) << "L1 has all";
  EXPECT_EQ(clocksOfMemory("LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", 0, 1), 8);
  EXPECT_EQ(clocksOfMemory("LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", 0, 0.5), 6);
  EXPECT_EQ(clocksOfMemory("LDGSTS.E.LTC128B.64 [R8], desc[UR4][R76.64]", 4, 1), 8) << "copies of 8 bytes, too";
}

// The same as the program is written: of 64 copies of a warp, each with four lines that L1 doesn't have.
TEST(PipeUsage, AsWrittenIsAsCompiled) {
  AccessCost cost;
  cost.requests = 64;
  cost.lines = 4 * 64;
  cost.sectors = 16 * 64;
  Access read;
  read.memory = device::Memory::Global;
  read.bytes = 2, read.elements = 8;
  EXPECT_EQ(pipeUsageOf(read, cost, 1).fills, 4 * 64);
  EXPECT_EQ(pipeUsageOf(read, cost).fills, 0) << "L1 has all";
  read.agent = device::Agent::AsyncCopy;
  EXPECT_EQ(pipeUsageOf(read, cost, 1).fills, 0) << "16 bytes go past L1";
  EXPECT_EQ(pipeUsageOf(read, cost, 1).lines, 4 * 64);
  read.elements = 4;
  EXPECT_EQ(pipeUsageOf(read, cost, 1).fills, 4 * 64);
  AccessCost written;
  written.requests = 64;
  written.wavefronts = 4 * 64;
  Access write = read;
  write.memory = device::Memory::Shared;
  write.write = true;
  EXPECT_EQ(pipeUsageOf(write, written).wavefronts, 0) << "they pass with the lines that are read";
  written.wavefronts += written.conflicts = 64;
  EXPECT_EQ(pipeUsageOf(write, written).wavefronts, 64) << "conflicts add to those";
  write.agent = device::Agent::Threads;
  EXPECT_EQ(pipeUsageOf(write, written).wavefronts, 5 * 64);
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
