#include "core/sass/run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sass/shaped_kernel.h"

namespace loom::model::run_test {
namespace {

using sass::shaped;

// Instructions, one a line, 16 bytes each; lines with a colon are labels.
sass::Kernel code(const std::string& lines) {
  std::string text = ".text.k:\n";
  int address = 0;
  for (std::size_t at = 0; at < lines.size();) {
    std::size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (line.empty()) continue;
    if (line.back() == ':') {
      text += line + "\n";
    } else {
      text += fmt::format("        /*{:04x}*/ {} ;\n", address, line);
      address += 16;
    }
  }
  auto parsed = sass::parse(text);
  EXPECT_TRUE(parsed);
  return parsed->front();
}

TEST(RunningMachineCode, CountsALoopByItsOwnCounter) {
  sass::Kernel k =
      code("MOV R0, RZ\n.L_x_0:\nIADD3 R0, R0, 0x3, RZ\nISETP.GE.AND P0, PT, R0, 0x1e, PT\n@!P0 BRA `(.L_x_0)\nEXIT\n");
  auto run = sass::run(k, shaped(4, 64));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_TRUE(run->exact);
  EXPECT_EQ(run->warps, 8);
  EXPECT_EQ(run->instructions[0].executions, 8);
  EXPECT_EQ(run->instructions[1].executions, 80);
  EXPECT_EQ(run->instructions[4].executions, 8);
}

// "IMAD R4, R0, R4, c[0x2][0x4]": the assembler keeps addresses of shared memory beside the code of older devices.
TEST(RunningMachineCode, ReadsTheConstantsBesideTheCode) {
  const std::string lines = "S2R R0, SR_TID.X\nMOV R4, 0x4\nIMAD R4, R0, R4, c[0x2][0x4]\nLDS R2, [R4]\nEXIT\n";
  sass::Kernel k = code(lines);
  EXPECT_FALSE(sass::run(k, shaped(1, 32))) << "an address that nobody knows";
  const std::string text =
      ".text.k:\n/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ EXIT ;\n\t.section\t.nv.constant2.k\n"
      ".nv.constant2.k:\n        .byte 0x00, 0x00, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00\n";
  k.constants = sass::parse(text)->front().constants;
  ASSERT_EQ(k.constants.size(), 1u);
  EXPECT_EQ(k.constants.at(2), std::string("\0\0\0\0\0\x24\0\0", 8));
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[3].wavefronts, 1);
}

// P0 holds in the even lanes.
const std::string kEvenLanes =
    "S2R R0, SR_TID.X\nLOP3.LUT R1, R0, 0x1, RZ, 0xc0, !PT\nISETP.EQ.AND P0, PT, R1, RZ, PT\n";

TEST(RunningMachineCode, LanesThatPartMeetAgain) {
  // Half of each warp leaps over the load.
  sass::Kernel k = code(kEvenLanes + "@P0 BRA `(.L_x_1)\nLDS R2, [R0]\n.L_x_1:\nSTS [R0], R2\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[4].executions, 1);
  EXPECT_EQ(run->instructions[5].executions, 1) << "together";
}

TEST(RunningMachineCode, PredicatesAreKeptInARegisterAndComeBack) {
  sass::Kernel k = code(kEvenLanes +
                        "P2R R3, PR, RZ, 0x1\nISETP.LT.AND P0, PT, R0, 0x4, PT\nP2R R4, PR, RZ, 0x1\n"
                        "ISETP.NE.AND P1, PT, R3, RZ, PT\nISETP.NE.AND P2, PT, R4, RZ, PT\nSHF.L.U32 R5, R0, 0x7, RZ\n"
                        "@P1 LDS R6, [R5]\n@P2 LDS R6, [R5]\nR2P PR, R3, 0x1\n@P0 LDS R6, [R5]\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[9].wavefronts, 16) << "the even lanes, each in a row of its own";
  EXPECT_EQ(run->instructions[10].wavefronts, 4);
  EXPECT_EQ(run->instructions[12].wavefronts, 16);
}

TEST(RunningMachineCode, VotesAreOfTheLanesThatTakePart) {
  // No lane but the even ones; all of those; and what a vote asks stays as it was.
  sass::Kernel k = code(kEvenLanes +
                        "VOTEU.ALL UP0, P0\nVOTE.ANY R3, P1, P0\n@P0 VOTE.ALL P2, P0\nISETP.EQ.AND P3, PT, R3, "
                        "0x55555555, PT\n@UP0 LDS R6, [R0]\n@P1 LDS R6, [R0]\n@P2 LDS R6, [R0]\n@P3 LDS R6, [R0]\n"
                        "SHF.L.U32 R5, R0, 0x7, RZ\n@P0 LDS R6, [R5]\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[7].requests, 0) << "not all lanes hold";
  EXPECT_EQ(run->instructions[8].requests, 1) << "some do";
  EXPECT_EQ(run->instructions[9].requests, 1) << "of the even lanes all";
  EXPECT_EQ(run->instructions[10].requests, 1) << "the ballot is the even lanes";
  EXPECT_EQ(run->instructions[12].wavefronts, 16);
}

// Each lane's number by a shuffle, and then as many rows of all banks as lanes hold different numbers.
TEST(RunningMachineCode, ShufflesTakeWhatAnotherLaneHolds) {
  auto wavefronts = [](const std::string& shuffle) {
    sass::Kernel k = code("S2R R0, SR_LANEID\nSHFL." + shuffle +
                          "\nSHF.L.U32 R5, R4, 0x7, RZ\nLDS R6, [R5]\n@P1 LDS R6, [R5]\nEXIT\n");
    auto run = sass::run(k, shaped(1, 32));
    if (!run) return std::pair(std::int64_t{-1}, std::int64_t{-1});
    return std::pair(std::int64_t(run->instructions[3].wavefronts), std::int64_t(run->instructions[4].wavefronts));
  };
  using Two = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(wavefronts("IDX P1, R4, R0, 0x3, 0x1f"), (Two{1, 1}));
  EXPECT_EQ(wavefronts("IDX P1, R4, R0, RZ, 0x181f"), (Two{4, 4})) << "lane 0 of each 8";
  EXPECT_EQ(wavefronts("DOWN P1, R4, R0, 0x10, 0x1f"), (Two{16, 16})) << "the upper half keeps its own";
  EXPECT_EQ(wavefronts("DOWN P1, R4, R0, 0x1, 0x1f"), (Two{31, 31}));
  EXPECT_EQ(wavefronts("DOWN P1, R4, R0, 0x8, 0x100f"), (Two{16, 16})) << "within each half";
  EXPECT_EQ(wavefronts("UP P1, R4, R0, 0x8, RZ"), (Two{24, 24}));
  EXPECT_EQ(wavefronts("BFLY P1, R4, R0, 0x1, 0x1f"), (Two{32, 32}));
  EXPECT_EQ(wavefronts("BFLY P1, R4, R6, 0x1, 0x1f"), (Two{-1, -1})) << "of what nobody knows";
}

TEST(RunningMachineCode, HalfAccumulatorsTakeTwoRegisters) {
  sass::Kernel k =
      code("S2R R4, SR_TID.X\nSHF.L.U32 R4, R4, 0x7, RZ\nHMMA.16816.F16 R2, R20, R26, R2\nSTS [R4], R2\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[3].wavefronts, 32);
  k = code("S2R R4, SR_TID.X\nHMMA.16816.F32 R2, R20, R26, R2\nSTS [R4], R2\nEXIT\n");
  EXPECT_FALSE(sass::run(k, shaped(1, 32))) << "of float32 it writes R4, too";
}

TEST(RunningMachineCode, EachPartOfAWarpExecutesTheInstructionWhereTheyMeet) {
  sass::Kernel k = code(kEvenLanes + "BSSY B0, `(.L_x_1)\n@P0 BRA `(.L_x_1)\nLDS R2, [R0]\n.L_x_1:\nBSYNC B0\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[6].executions, 2);
  EXPECT_EQ(run->instructions[7].executions, 1);
}

// Division by 7: the upper word of n·0x92492493 + n·2³², as two registers add it.
TEST(RunningMachineCode, UpperWordsOfProductsAddAPair) {
  sass::Kernel k = code(
      "S2R R3, SR_TID.X\nMOV R2, RZ\nIMAD.HI R4, R3, -0x6db6db6d, R2\nSHF.R.U32.HI R5, RZ, 0x1f, R4\n"
      "LEA.HI.SX32 R4, R4, R5, 0x1e\nSHF.L.U32 R4, R4, 0x7, RZ\nSTS [R4], R5\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[6].wavefronts, 5) << "31 / 7 is 4: five rows of one bank";
}

TEST(RunningMachineCode, DivisionsTakeTheFastPath) {
  sass::Kernel k = code("LDS R0, [RZ]\nFCHK P0, R0, R0\n@!P0 BRA `(.L_x_0)\nCALL.REL.NOINC `(.L_x_0)\n.L_x_0:\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[3].executions, 0);
}

// 40 by 5 blocks of which the last of each axis skips a store: 39 · 4 do it.
TEST(RunningMachineCode, EdgesOfTheGridStandForThemselves) {
  sass::Kernel k = code(
      "S2R R0, SR_CTAID.X\nS2R R1, SR_CTAID.Y\nISETP.GT.AND P0, PT, R0, 0x26, PT\n"
      "ISETP.GT.OR P0, PT, R1, 0x3, P0\n@P0 EXIT\nSTS [RZ], R0\nEXIT\n");
  device::Kernel kernel = shaped(40, 32);
  kernel.grid[1] = 5;
  auto run = sass::run(k, kernel);
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_FALSE(run->exact);
  EXPECT_EQ(run->instructions[4].executions, 200);
  EXPECT_EQ(run->instructions[5].executions, 39 * 4);
}

TEST(RunningMachineCode, StoresThatFollowToTheSameLinesJoin) {
  sass::Kernel k = code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x10, R2\nIMAD.WIDE R6, R0, 0x80, R2\n"
      "STG.E desc[UR4][R4.64], R0\nSTG.E desc[UR4][R4.64+0x4], R0\nSTG.E desc[UR4][R6.64], R0\n"
      "STG.E desc[UR4][R6.64+0x4], R0\nSTG.E.128 desc[UR4][R4.64], R8\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[5].sectors, 16);
  EXPECT_EQ(run->instructions[5].joinedSectors, 16) << "4 lines, as just before";
  EXPECT_EQ(run->instructions[4].partialSectors, 16);
  EXPECT_EQ(run->instructions[7].joinedSectors, 0) << "32 lines are too many";
  EXPECT_EQ(run->instructions[8].partialSectors, 0) << "whole sectors";
}

TEST(RunningMachineCode, AddressesCostWhatTheirLanesSay) {
  sass::Kernel k = code(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x8, R2\nLDG.E R6, desc[UR4][R4.64]\n"
      "SHF.L.U32 R7, R0, 0x7, RZ\nSTS [R7+0x10], R6\nLDS.128 R8, [RZ]\nSTS.128 [RZ], R8\n"
      "ISETP.GT.AND P1, PT, R0, 0x7, PT\n@!P1 STG.E desc[UR4][R4.64+0x100], R6\n@!PT LDS R1, [R0]\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[3].sectors, 8);
  EXPECT_EQ(run->instructions[5].wavefronts, 32);
  EXPECT_EQ(run->instructions[5].conflicts, 31);
  EXPECT_EQ(run->instructions[6].wavefronts, 2) << "neighbouring quarters go together";
  EXPECT_EQ(run->instructions[7].wavefronts, 4) << "but not when storing";
  EXPECT_EQ(run->instructions[9].sectors, 2) << "eight lanes";
  EXPECT_EQ(run->instructions[10].executions, 1);
  EXPECT_EQ(run->instructions[10].requests, 0) << "no lane takes part";
}

// 64-bit addresses of bytes: the lower words with carry, the upper one from the index's sign.
TEST(RunningMachineCode, IndicesAreExtendedByTheirSign) {
  sass::Kernel k = code(
      "S2R R0, SR_TID.X\nIADD3 R0, R0, -0x10, RZ\nLDC.64 R2, c[0x0][0x210]\nIADD3 R4, P0, R0, R2, RZ\n"
      "LEA.HI.X.SX32 R5, R0, R3, 0x1, P0\nLDG.E.U8 R6, desc[UR4][R4.64]\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[5].sectors, 2) << "16 bytes on either side of the buffer's start, next to each other";
  EXPECT_EQ(run->instructions[5].lines, 2);
}

TEST(RunningMachineCode, SmallIntegersComeAsHalfs) {
  sass::Kernel k = code(
      "HFMA2.MMA R0, -RZ, RZ, 0, 1.78813934326171875e-07\n.L_x_0:\nVIADD R0, R0, 0xffffffff\n"
      "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA `(.L_x_0)\nEXIT\n");
  auto run = sass::run(k, shaped(1, 32));
  ASSERT_TRUE(run) << run.error().message.english();
  EXPECT_EQ(run->instructions[1].executions, 3);
}

TEST(RunningMachineCodeRefuses, WhatDependsOnMemory) {
  sass::Kernel branch =
      code("LDS R0, [RZ]\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA `(.L_x_0)\nIADD3 R0, R0, 0x1, RZ\n.L_x_0:\nEXIT\n");
  EXPECT_EQ(sass::run(branch, shaped(1, 32)).error().code, "SassUnknown");
  sass::Kernel gather = code("LDS R0, [RZ]\nLDS R1, [R0]\nEXIT\n");
  EXPECT_EQ(sass::run(gather, shaped(1, 32)).error().code, "SassUnknown");
  sass::Kernel guarded = code("LDS R0, [RZ]\nISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 LDS R1, [RZ]\nEXIT\n");
  EXPECT_EQ(sass::run(guarded, shaped(1, 32)).error().code, "SassUnknown");
  sass::Kernel call = code("CALL.REL.NOINC `(.L_x_0)\n.L_x_0:\nEXIT\n");
  EXPECT_EQ(sass::run(call, shaped(1, 32)).error().code, "SassUnknown");
}

TEST(RunningMachineCodeRefuses, WhatNeverEnds) {
  sass::Kernel k = code(".L_x_0:\nIADD3 R0, RZ, 0x1, RZ\nBRA `(.L_x_0)\nEXIT\n");
  EXPECT_EQ(sass::run(k, shaped(1, 32), {1000, 1000}).error().code, "SassTooLong");
}

}  // namespace
}  // namespace loom::model::run_test
