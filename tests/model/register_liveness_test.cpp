// Registers alive, against nvdisasm's own count of the same kernels.
#include "core/sass/liveness.h"

#include <gmock/gmock.h>

#include <charconv>
#include <sstream>

#include "core/sass/registers.h"
#include "tests/model/programs.h"

namespace loom::model::register_liveness_test {
namespace {

using testing::ElementsAre;

sass::RegisterUse read(const std::string& line) {
  return sass::registersOf(sass::parse(".text.k:\n/*0000*/ " + line + " ;\n").value().front().instructions.front());
}

sass::Kernel code(const std::string& lines) { return sass::parse(".text.k:\n" + lines).value().front(); }

// By instruction: the number behind "//".
std::vector<int> nvdisasmCounts(const std::string& text) {
  std::vector<int> counts;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find("// ");
    if (at != std::string::npos && line.starts_with("/* 0x")) counts.push_back(std::stoi(line.substr(at + 3)));
  }
  return counts;
}

class Alive : public testing::TestWithParam<const char*> {};

TEST_P(Alive, AsManyAsNvdisasmFinds) {
  const std::string text = readText(std::string("tests/model/encoded/") + GetParam());
  const sass::Kernel k = sass::parse(text).value().front();
  const auto live = sass::liveRegisters(k);
  ASSERT_TRUE(live) << live.error().message.english();
  const std::vector<int> counts = nvdisasmCounts(text);
  ASSERT_GE(counts.size(), k.instructions.size());  // but for the padding at the end
  int peak = 0;
  for (std::size_t n = 0; n < k.instructions.size(); ++n) {
    EXPECT_EQ(live->alive[n], counts[n]) << std::hex << k.instructions[n].address << " " << k.instructions[n].opcode;
    peak = std::max(peak, counts[n]);
  }
  EXPECT_EQ(live->peak, peak);
  EXPECT_EQ(live->alive[std::size_t(live->peakAt)], peak);
}

INSTANTIATE_TEST_SUITE_P(Encoded, Alive,
                         testing::Values("tensor_core_sm_90a.sass", "tensor_core_sm_120.sass", "wmma_sm_75.sass",
                                         "hopper_roles_sm_90a.sass"),
                         [](const auto& i) { return std::string(i.param).substr(0, std::string(i.param).find('.')); });

// The end of a pipeline with roles: a warp that loads keeps 40 registers, warpgroups that multiply ask for 232.
TEST(Liveness, EachRoleHasTheRegistersThatSetmaxnregAllots) {
  const sass::Kernel k = sass::parse(readText("tests/model/encoded/hopper_roles_sm_90a.sass")).value().front();
  const auto live = sass::liveRegisters(k);
  ASSERT_TRUE(live) << live.error().message.english();
  ASSERT_EQ(live->allotments.size(), 2u);
  EXPECT_EQ(live->allotments[0].registers, 40);
  EXPECT_EQ(live->allotments[1].registers, 232);
  EXPECT_LT(live->allotments[0].peak, 24);
  EXPECT_GT(live->allotments[1].peak, 128) << "the sums of m64n256";
  EXPECT_EQ(live->allotments[1].peak, live->peak);
}

TEST(Liveness, ACallCountsWhatItsFunctionDoesNotAConvention) {
  const std::string text = readText("tests/model/encoded/softmax_sm_90a.sass");
  const sass::Kernel k = sass::parse(text).value().front();
  const auto live = sass::liveRegisters(k);
  ASSERT_TRUE(live) << live.error().message.english();
  // nvdisasm doesn't look into the function that divides, but assumes R0 read and R3 to R15 written.
  const std::vector<int> counts = nvdisasmCounts(text);
  int same = 0;
  for (std::size_t n = 0; n < k.instructions.size(); ++n) same += live->alive[n] == counts[n];
  EXPECT_GT(same, int(k.instructions.size()) * 3 / 4);
  EXPECT_LT(same, int(k.instructions.size()));
}

TEST(Liveness, OperandsHaveTheirWidths) {
  EXPECT_THAT(read("HMMA.16816.F32 R36, R60, R52.reuse, R36").reads,
              ElementsAre(60, 61, 62, 63, 52, 53, 36, 37, 38, 39));
  EXPECT_THAT(read("HMMA.16816.F16 R8, R4, R2, R8").writes, ElementsAre(8, 9));
  EXPECT_THAT(read("HMMA.1688.F32.TF32 R8, R4, R2, R8").reads, ElementsAre(4, 5, 6, 7, 2, 3, 8, 9, 10, 11));
  EXPECT_THAT(read("IMMA.8816.S8.S8 R2, R4.ROW, R5.COL, R2").reads, ElementsAre(4, 5, 2, 3));
  EXPECT_THAT(read("DMMA.884 R8, R2, R4, R8").writes, ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(read("HGMMA.64x8x16.F32 R24, R4, gdesc[UR4], R24, UP0, gsb0").reads,
              ElementsAre(4, 5, 6, 7, sass::kUniformRegisters + 4, 24, 25, 26, 27, sass::kUniformPredicates));
  EXPECT_THAT(read("QGMMA.64x16x32.F16.E5M2.E4M3 R24, gdesc[UR8], R24, UP0").writes, ElementsAre(24, 25, 26, 27));
  EXPECT_THAT(read("HGMMA.64x8x16.F32 R24, gdesc[UR8], RZ, !UPT").writes, ElementsAre(24, 25, 26, 27));
  EXPECT_THAT(read("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R13+URZ], R6").reads, ElementsAre(13, 6));
  EXPECT_THAT(read("IMAD.WIDE R60, R3, 0x2, R62").reads, ElementsAre(3, 62, 63));
  EXPECT_THAT(read("LDG.E.128.CONSTANT R48, desc[UR4][R60.64]").writes, ElementsAre(48, 49, 50, 51));
  EXPECT_THAT(read("LDG.E.SYS R4, [R2]").reads, ElementsAre(2, 3)) << "an address of 64 bits";
  EXPECT_THAT(read("STS.64 [R4], R6").reads, ElementsAre(4, 6, 7));
  EXPECT_THAT(read("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR6][R18.64], R12").writes, ElementsAre());
  EXPECT_THAT(read("F2F.F64.F32 R4, R2").writes, ElementsAre(4, 5));
  EXPECT_THAT(read("F2I.S64.F64.TRUNC R4, R2").reads, ElementsAre(2, 3));
  EXPECT_THAT(read("I2F.F64 R4, R2").reads, ElementsAre(2));
  EXPECT_THAT(read("FCHK P0, R0, R5").reads, ElementsAre(0, 5));
  EXPECT_THAT(read("P2R R4, PR, R3, 0x1").writes, ElementsAre(4));
}

TEST(Liveness, AGuardedWriteKeepsWhatWasThere) {
  const auto live =
      sass::liveRegisters(code("/*0000*/ MOV R2, 0x1 ;\n/*0010*/ @P0 MOV R2, 0x2 ;\n/*0020*/ MOV R3, R2 ;\n"
                               "/*0030*/ STG.E desc[UR4][R4.64], R3 ;\n/*0040*/ EXIT ;\n"));
  ASSERT_TRUE(live);
  EXPECT_THAT(live->alive, ElementsAre(3, 3, 4, 3, 0));
  EXPECT_EQ(live->peakAt, 2);
}

TEST(Liveness, ALoopKeepsWhatItsNextTripReads) {
  const auto live =
      sass::liveRegisters(code("/*0000*/ MOV R2, 0x1 ;\n.L_x_0:\n/*0010*/ VIADD R3, R2, 0x1 ;\n"
                               "/*0020*/ MOV R9, 0x7 ;\n/*0030*/ @P0 BRA `(.L_x_0) ;\n/*0040*/ EXIT ;\n"));
  ASSERT_TRUE(live);
  EXPECT_THAT(live->alive, ElementsAre(1, 2, 2, 1, 0)) << "a value that nobody reads takes its register all the same";
}

TEST(Liveness, WhereOnlyARegisterKnowsTheWayItIsRefused) {
  for (const char* way : {"BRX R2 -0x10", "BRA `(.L_x_77)", "JMX R4"}) {
    const auto live = sass::liveRegisters(code(std::string("/*0000*/ ") + way + " ;\n"));
    ASSERT_FALSE(live) << way;
    EXPECT_EQ(live.error().code, "SassUnknown");
  }
}

}  // namespace
}  // namespace loom::model::register_liveness_test
