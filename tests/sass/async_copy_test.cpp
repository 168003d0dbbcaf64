// Copies past registers in machine code: what cp.async of 16, 8 and 4 bytes becomes.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "core/model/latency.h"
#include "core/sass/countable.h"
#include "core/sass/run.h"

namespace loom::sass::async_copy_test {
namespace {

// 256 threads copy 16 bytes each, 32 of them 8 and 64 of them 4 bytes that lie 16 apart, in each of 4 passes.
Kernel asyncCopies() {
  std::ifstream in(TILELOOM_SOURCE_DIR "/tests/sass/async_copy_sm_90a.sass");
  return parse({std::istreambuf_iterator<char>(in), {}}).value().front();
}

std::vector<std::size_t> copies(const Kernel& k, std::string_view opcode) {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < k.instructions.size(); ++n)
    if (k.instructions[n].opcode == opcode) found.push_back(n);
  return found;
}

TEST(AsyncCopies, HaveTheirBytesAndWriteNoRegister) {
  const Kernel k = asyncCopies();
  EXPECT_TRUE(checkCountable(k));
  for (auto [opcode, bytes] : {std::pair{"LDGSTS.E.BYPASS.128", 16}, {"LDGSTS.E.64", 8}, {"LDGSTS.E", 4}}) {
    ASSERT_EQ(copies(k, opcode).size(), 4U) << opcode;
    const Instruction& i = k.instructions[copies(k, opcode).front()];
    EXPECT_TRUE(i.toShared);
    EXPECT_EQ(i.pipe, Pipe::GlobalLoad);
    EXPECT_EQ(i.bytes, bytes);
    EXPECT_THAT(i.writes, testing::ElementsAre(kCopies));
  }
  ASSERT_EQ(copies(k, "DEPBAR.LE").size(), 4U);
  for (std::size_t n : copies(k, "DEPBAR.LE")) EXPECT_THAT(k.instructions[n].reads, testing::ElementsAre(kCopies));
}

TEST(AsyncCopies, AreCountedAsLoadsAndAsStoresToSharedMemory) {
  const Kernel k = asyncCopies();
  device::Kernel kernel;
  kernel.grid[0] = 2;
  kernel.block[0] = 256;
  kernel.params.resize(2);
  const auto ran = run(k, kernel);
  ASSERT_TRUE(ran) << ran.error().message.english();
  struct Wanted {
    const char* opcode;
    double requests, sectors, wavefronts;
  };
  for (const Wanted& w : {Wanted{"LDGSTS.E.BYPASS.128", 16, 16, 4}, {"LDGSTS.E.64", 2, 8, 2}, {"LDGSTS.E", 4, 16, 1}}) {
    for (std::size_t n : copies(k, w.opcode)) {
      const InstructionRun& i = ran->instructions[n];
      EXPECT_EQ(i.requests, w.requests) << w.opcode;
      EXPECT_EQ(i.sectors, w.requests * w.sectors) << w.opcode;
      EXPECT_EQ(i.wavefronts, w.requests * w.wavefronts) << w.opcode;
      EXPECT_EQ(i.conflicts, 0) << w.opcode;
    }
  }
}

TEST(AsyncCopies, KeepWhoWaitsForAllOfThem) {
  auto pass = [](const std::string& wait) {
    const Kernel k = parse(
                         ".text.k:\n.L_x_0:\n        /*0010*/   LDGSTS.E [R9], desc[UR6][R10.64] ;\n"
                         "        /*0020*/   LDGDEPBAR ;\n        /*0030*/   DEPBAR.LE SB0, " +
                         wait + " ;\n        /*0040*/   @P0 BRA `(.L_x_0) ;\n        /*0050*/   EXIT ;\n")
                         ->front();
    return model::passLatency(k, 0, model::Latencies(), {});
  };
  const double global = model::Latencies().global;
  EXPECT_GE(pass("0x0"), global);
  EXPECT_LT(pass("0x1"), global) << "a group may be pending";
}

}  // namespace
}  // namespace loom::sass::async_copy_test
