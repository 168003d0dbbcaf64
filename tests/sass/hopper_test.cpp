// Hopper's instructions: what NVRTC 13.0 for sm_90a makes of wgmma, TMA, mbarriers, setmaxnreg and clusters
// (hopper_instructions_sm_90a.sass: "asynchronous" and "products" are kernels of all of it, "lessons" has one
// instruction for each opcode of all states of the lessons hopper, hopper_1024 and multistage).
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <set>

#include "core/model/latency.h"
#include "core/model/product_rate.h"
#include "core/sass/countable.h"
#include "core/sass/run.h"
#include "core/sass/warpgroup_product.h"
#include "tests/sass/shaped_kernel.h"

namespace loom::sass::hopper_test {
namespace {

std::vector<Kernel> recorded() {
  std::ifstream in(TILELOOM_SOURCE_DIR "/tests/sass/hopper_instructions_sm_90a.sass");
  return parse({std::istreambuf_iterator<char>(in), {}}).value();
}

Kernel code(const std::string& lines) { return parse(".text.k:\n" + lines).value().front(); }
Instruction one(const std::string& text) { return code("/*0000*/ " + text + " ;\n").instructions.front(); }

TEST(HopperOpcodes, AreAllKnown) {
  std::set<std::string> unknown;
  int all = 0;
  for (const Kernel& k : recorded())
    for (const Instruction& i : k.instructions) {
      ++all;
      if (!opcodeOf(i.opcode)) unknown.insert(i.opcode);
    }
  EXPECT_GE(all, 300);
  EXPECT_THAT(unknown, testing::IsEmpty());
  EXPECT_FALSE(opcodeOf("ZORK.64"));
}

TEST(HopperOpcodes, HaveTheirPipes) {
  for (auto [opcode, pipe] : {std::pair{"HGMMA.64x128x16.F32", Pipe::Tensor},
                              {"UTMALDG.2D", Pipe::CopyEngine},
                              {"UTMASTG.2D", Pipe::CopyEngine},
                              {"UBLKCP.S.G", Pipe::CopyEngine},
                              {"SYNCS.PHASECHK.TRANS64.TRYWAIT", Pipe::Mbarrier},
                              {"UCGABAR_ARV", Pipe::Barrier},
                              {"BAR.SYNC.DEFER_BLOCKING", Pipe::Barrier},
                              {"UIADD3.X", Pipe::Uniform},
                              {"UISETP.NE.AND", Pipe::Uniform},
                              {"R2UR", Pipe::Uniform},
                              {"ULDC.64", Pipe::Uniform},
                              {"ELECT", Pipe::Uniform},
                              {"WARPGROUP.ARRIVE", Pipe::Other}})
    EXPECT_EQ(one(opcode).pipe, pipe) << opcode;
}

TEST(WarpgroupProducts, AreOfTheirShapesAndTypes) {
  const Kernel k = recorded()[1];
  ASSERT_EQ(k.name, "products");
  EXPECT_TRUE(checkCountable(k));
  for (const Instruction& i : k.instructions) EXPECT_TRUE(warpgroupProductOf(i)) << i.opcode;
  const auto a = *warpgroupProductOf(one("HGMMA.64x256x16.F32.BF16 R24, R152, gdesc[UR4], R24, UP0, gsb0"));
  EXPECT_TRUE(a.registersOfA);
  EXPECT_EQ(a.sums(), 128);
  EXPECT_EQ(a.a(), 4);
  EXPECT_EQ(a.flops(), 2.0 * 64 * 256 * 16 / 4);
  EXPECT_EQ(warpgroupProductOf(one("HGMMA.64x32x16.F16 R24, gdesc[UR8], R24"))->sums(), 8);
  EXPECT_FALSE(warpgroupProductOf(one("HMMA.16816.F32 R8, R4, R6, R8")));
  EXPECT_FALSE(warpgroupProductOf(one("HGMMA.SP.64x32x32.F32 R24, gdesc[UR8], R24")));
}

// N / 2 clocks for m64nNk16 of 16 bits: 4096 FLOP a clock (../../core/model/product_rate.h); twice as many operations
// of 8 bits, half as many of tf32.
TEST(WarpgroupProducts, TakeTheTensorCoresTheirClocks) {
  EXPECT_EQ(model::warpgroupClocks(one("HGMMA.64x128x16.F32 R24, gdesc[UR8], R24")), 64);
  EXPECT_EQ(model::warpgroupClocks(one("HGMMA.64x64x8.F32.TF32 R24, gdesc[UR8], R24")), 32);
  EXPECT_EQ(model::warpgroupClocks(one("QGMMA.64x64x32.F32.E4M3.E5M2 R24, gdesc[UR8], R24")), 32);
  EXPECT_EQ(model::warpgroupClocks(one("IGMMA.64x256x32.S8.U8 R24, gdesc[UR8], R24")), 128);
  EXPECT_EQ(model::warpgroupClocks(one("HMMA.16816.F32 R8, R4, R6, R8")), 0);
}

TEST(WarpgroupProducts, KeepWhoWaitsForAllOfThem) {
  auto pass = [](const std::string& wait) {
    const Kernel k = code(
        ".L_x_0:\n/*0010*/ HGMMA.64x256x16.F32 R24, gdesc[UR8], R24, gsb0 ;\n"
        "/*0020*/ WARPGROUP.DEPBAR.LE gsb0, " +
        wait +
        " ;\n/*0030*/ @P0 BRA `(.L_x_0) ;\n"
        "/*0040*/ EXIT ;\n");
    return model::passLatency(k, 0, model::Latencies(), {});
  };
  EXPECT_GE(pass("0x0"), 128);
  EXPECT_LT(pass("0x1"), 64) << "a group may be at work";
}

// One thread of the warp asks the copy engine, whatever the others do.
TEST(RunningHopperCode, ElectsOneLane) {
  const Kernel k = code(
      "/*0000*/ S2R R0, SR_LANEID ;\n/*0010*/ ELECT P0, URZ, PT ;\n/*0020*/ SHF.L.U32 R1, R0, 0x7, RZ ;\n"
      "/*0030*/ @P0 STS [R1], R0 ;\n/*0040*/ ISETP.GT.AND P1, PT, R0, 0x7, PT ;\n/*0050*/ ELECT P2, UR4, P1 ;\n"
      "/*0060*/ @P2 LDS R2, [R1] ;\n/*0070*/ ULEA UR5, UR4, URZ, 0x7 ;\n/*0080*/ LDS R3, [UR5] ;\n/*0090*/ EXIT ;\n");
  const auto ran = run(k, shaped(1, 32));
  ASSERT_TRUE(ran) << ran.error().message.english();
  EXPECT_EQ(ran->instructions[3].lanes, 1);
  EXPECT_EQ(ran->instructions[6].lanes, 1);
  EXPECT_EQ(ran->instructions[8].requests, 1);
}

// The compiler's loop around an instruction that is done once for the warp: one lane at a time, while any is left.
TEST(RunningHopperCode, AsksTheCopyEngineOnceForEachLaneThatAsks) {
  auto asked = [](const std::string& lanes) {
    const Kernel k = code("/*0000*/ S2R R0, SR_LANEID ;\n/*0010*/ ISETP.LT.AND P0, PT, R0, " + lanes +
                          ", PT ;\n/*0020*/ @!P0 EXIT ;\n.L_x_4:\n/*0030*/ @P0 ELECT P2, URZ, PT ;\n"
                          "/*0040*/ UTMALDG.2D [UR4], [UR14] ;\n/*0050*/ @P2 PLOP3.LUT P0, PT, P2, PT, PT, 0x8, 0x0 ;\n"
                          "/*0060*/ PLOP3.LUT P2, PT, PT, PT, PT, 0x8, 0x0 ;\n/*0070*/ @P0 BRA.U.ANY `(.L_x_4) ;\n"
                          "/*0080*/ EXIT ;\n");
    const auto ran = run(k, shaped(1, 32));
    return ran ? ran->instructions[4].executions : -1;
  };
  EXPECT_EQ(asked("0x1"), 1);
  EXPECT_EQ(asked("0x3"), 3);
}

// Warps 0 to 3 ask 2 times each, warp 4 waits for them: what depends on time is answered at once, and said to be so.
TEST(RunningHopperCode, FollowsRolesAndCountsAWaitAsOneTry) {
  const Kernel k = code(
      "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ SHF.R.U32.HI R0, RZ, 0x5, R0 ;\n/*0020*/ R2UR UR4, R0 ;\n"
      "/*0030*/ UISETP.GE.AND UP0, UPT, UR4, 0x4, UPT ;\n/*0040*/ PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0 ;\n"
      "/*0050*/ @P0 BRA `(.L_x_2) ;\n/*0060*/ USETMAXREG.DEALLOC.CTAPOOL 0x28 ;\n/*0070*/ UTMALDG.2D [UR8], [UR6] ;\n"
      "/*0080*/ UTMALDG.2D [UR8], [UR6] ;\n/*0090*/ EXIT ;\n.L_x_2:\n"
      "/*00a0*/ USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8 ;\n/*00b0*/ PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0 ;\n"
      "/*00c0*/ @!P0 BRA `(.L_x_2) ;\n/*00d0*/ SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR10], R0 ;\n"
      "/*00e0*/ @!P0 BRA `(.L_x_3) ;\n.L_x_4:\n/*00f0*/ HGMMA.64x8x16.F32 R24, gdesc[UR16], R24, gsb0 ;\n"
      "/*0100*/ EXIT ;\n.L_x_3:\n/*0110*/ SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR10], R0 ;\n"
      "/*0120*/ @!P0 BRA `(.L_x_3) ;\n/*0130*/ BRA `(.L_x_4) ;\n");
  const auto ran = run(k, shaped(3, 160));
  ASSERT_TRUE(ran) << ran.error().message.english();
  EXPECT_TRUE(ran->exact);
  EXPECT_EQ(ran->instructions[7].executions, 3 * 4);
  EXPECT_EQ(ran->instructions[15].executions, 3) << "the product";
  EXPECT_EQ(ran->instructions[17].executions, 0) << "asked again";
  EXPECT_EQ(ran->granted, 3 * 2) << "registers, and the phase";
  // The wait put aside comes back before the product, but closes no loop.
  ASSERT_EQ(k.loops.size(), 2u);
  EXPECT_EQ(k.loops[0].first, 0xa0);
  EXPECT_EQ(k.loops[1].first, 0x110);
}

// 5 tiles for 4 blocks that stay: the first has two of them.
TEST(RunningHopperCode, FindsWhichOfTheBlocksThatStayDoMore) {
  const Kernel k = code(
      "/*0000*/ S2R R0, SR_CTAID.X ;\n.L_x_0:\n/*0010*/ SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [UR10], R0 ;\n"
      "/*0020*/ UTMALDG.2D [UR8], [UR6] ;\n/*0030*/ IADD3 R0, R0, 0x64, RZ ;\n"
      "/*0040*/ ISETP.LT.AND P0, PT, R0, 0x11b, PT ;\n/*0050*/ @P0 BRA `(.L_x_0) ;\n/*0060*/ EXIT ;\n");
  const auto ran = run(k, shaped(100, 32), {1000, 40});  // 283 tiles
  ASSERT_TRUE(ran) << ran.error().message.english();
  EXPECT_EQ(ran->instructions[2].executions, 283);
  EXPECT_LT(ran->warpsRun, 12);
  EXPECT_FALSE(ran->exact);
}

// Each block of a cluster knows its number there, and how many blocks it has: only the first one asks, and each reads
// what the next one's shared memory holds, whose address mapa makes of an own one and that number.
TEST(RunningHopperCode, KnowsTheBlocksOfACluster) {
  const Kernel k = code(
      "/*0000*/ S2UR UR5, SR_CgaCtaId ;\n/*0010*/ S2R R0, SR_TID.X ;\n/*0020*/ S2R R9, SR_SWINHI ;\n"
      "/*0030*/ UISETP.NE.AND UP0, UPT, UR5, URZ, UPT ;\n/*0040*/ ULEA UR4, UR5, 0x400, 0x18 ;\n"
      "/*0050*/ LEA R7, R0, UR4, 0x2 ;\n/*0060*/ PLOP3.LUT P0, PT, PT, PT, UP0, 0x80, 0x0 ;\n"
      "/*0070*/ @P0 BRA `(.L_x_0) ;\n/*0080*/ UTMALDG.2D.MULTICAST [UR8], [UR6], UR4 ;\n.L_x_0:\n"
      "/*0090*/ ULDC UR7, c[0x0][0x188] ;\n/*00a0*/ IMAD.U32 R3, RZ, RZ, UR5 ;\n/*00b0*/ VIADD R3, R3, 0x1 ;\n"
      "/*00c0*/ ISETP.NE.AND P1, PT, R3, UR7, PT ;\n/*00d0*/ SEL R3, R3, RZ, P1 ;\n"
      "/*00e0*/ PRMT R8, R3, 0x654, R7 ;\n/*00f0*/ LD.E R4, [R8] ;\n/*0100*/ @P1 ST.E [R8], R4 ;\n/*0110*/ EXIT ;\n");
  device::Kernel kernel = shaped(32, 64);
  kernel.grid = {8, 2, 2};
  kernel.cluster = {2, 1, 2};
  Kernel hopper = k;
  hopper.architecture = 90;
  const auto ran = run(hopper, kernel);
  ASSERT_TRUE(ran) << ran.error().message.english();
  EXPECT_TRUE(ran->exact) << "each number in the cluster does the same everywhere";
  EXPECT_EQ(ran->instructions[8].executions, 32 * 2 / 4.0) << "one block of four";
  EXPECT_EQ(ran->instructions[15].requests, 32 * 2);
  EXPECT_EQ(ran->instructions[15].wavefronts, 32 * 2) << "neighbours' words, wherever they lie";
  EXPECT_EQ(ran->instructions[16].requests, 32 * 2 * 3 / 4.0) << "all but the last block of each cluster";
  // A part of the grid alone is run by whole clusters, also of one that is too large for what may be run.
  for (const double allowed : {4 * 17.0 * 2, 17.0 * 2}) {
    const auto some = run(hopper, kernel, {1e7, allowed});
    EXPECT_EQ(some->instructions[8].executions, ran->instructions[8].executions) << allowed;
    EXPECT_EQ(some->instructions[16].requests, ran->instructions[16].requests);
  }
}

TEST(RunningHopperCodeRefuses, AddressesThatMayBeOfAnyMemory) {
  const Kernel k =
      code("/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ MOV R1, RZ ;\n/*0020*/ LD.E R4, [R0] ;\n/*0030*/ EXIT ;\n");
  const auto ran = run(k, shaped(1, 32));
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, "SassUnknown");
}

TEST(RunningHopperCodeRefuses, LanesThatHaveParted) {
  const Kernel k = code(
      "/*0000*/ S2R R0, SR_LANEID ;\n/*0010*/ UMOV UR4, 0xffffffff ;\n/*0020*/ BRA.DIV UR4, `(.L_x_1) ;\n"
      "/*0030*/ EXIT ;\n.L_x_1:\n/*0040*/ WARPSYNC.COLLECTIVE R7, `(.L_x_2) ;\n/*0050*/ ELECT P0, UR62, PT ;\n"
      "/*0060*/ ENDCOLLECTIVE ;\n.L_x_2:\n/*0070*/ EXIT ;\n");
  EXPECT_TRUE(run(k, shaped(1, 32))) << "all are together";
  Kernel parted = k;
  parted.instructions[0].opcode = "EXIT";
  parted.instructions[0].operands.clear();
  parted.instructions[0].predicated = true;
  parted.instructions[0].guard = "P3";
  EXPECT_FALSE(run(parted, shaped(1, 32))) << "nobody knows which lanes are left";
}

}  // namespace
}  // namespace loom::sass::hopper_test
