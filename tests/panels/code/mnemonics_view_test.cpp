#include "app/panels/code/view/mnemonics.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

namespace loom::text::code_mnemonics_view_test {
namespace {

constexpr auto kSass = MachineDialect::kSass;
constexpr auto kPtx = MachineDialect::kPtx;

std::string inEnglish(MachineDialect dialect, const char* line) { return explain(dialect, line, Language::kEnglish); }

TEST(Mnemonics, SayTheOperationAndItsModifiers) {
  EXPECT_EQ(inEnglish(kSass, "@!P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64] ;"),
            "LDG.E.128.CONSTANT: load from global memory · 64-bit address · 16 bytes wide · by the read-only path: "
            "nothing writes these data");
  EXPECT_EQ(
      inEnglish(kPtx, "	ld.global.nc.v4.u32 	{%r30, %r31, %r32, %r33}, [%rd30];"),
      "ld.global.nc.v4.u32: load · global memory · by the read-only path: nothing writes these data · four values "
      "at once");
  EXPECT_EQ(explain(kSass, "HMMA.16816.F32 R8, R4, R6, R8", Language::kChinese),
            "HMMA.16816.F32：张量核心半精度矩阵乘加 · 16×8 的分块，深 16 · 以 float32");
}

// Extents have their words whichever they are.
TEST(Mnemonics, SayTheExtentsOfProducts) {
  EXPECT_EQ(inEnglish(kPtx, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2};"),
            "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32: multiply tiles on the tensor cores, and add "
            "· all of them wait · a tile of 8×8, 16 deep");
  EXPECT_EQ(explain(kSass, "BMMA.168256.AND.POPC R4, R8.ROW, R10.COL, R4", Language::kChinese),
            "BMMA.168256.AND.POPC：张量核心单比特矩阵乘加 · 16×8 的分块，深 256");
}

// A pipeline's: copies, their groups and waits, fragments, products and shuffles.
TEST(Mnemonics, ExplainAsynchronousKernels) {
  EXPECT_EQ(inEnglish(kSass, "LDGSTS.E.BYPASS.128 [R15], desc[UR4][R4.64] ;"),
            "LDGSTS.E.BYPASS.128: copy from global to shared memory, past the registers, without waiting: cp.async · "
            "64-bit address · past the L1 cache · 16 bytes wide");
  EXPECT_EQ(inEnglish(kSass, "DEPBAR.LE SB0, 0x2 ;"),
            "DEPBAR.LE: wait until at most as many groups of copies are on their way as the last number says: "
            "cp.async.wait_group");
  EXPECT_EQ(explain(kSass, "LDGDEPBAR ;", Language::kChinese),
            "LDGDEPBAR：结束一组异步拷贝，由 DEPBAR.LE 计数：cp.async.commit_group");
  EXPECT_EQ(inEnglish(kSass, "LDSM.16.MT88.4 R8, [R8] ;"),
            "LDSM.16.MT88.4: load 8×8 matrices from shared memory, spread over the warp's lanes as the tensor cores "
            "want them · transposed · four of them");
  EXPECT_EQ(inEnglish(kSass, "HMMA.1688.F32.TF32 R8, R4, R6, R8"),
            "HMMA.1688.F32.TF32: multiply half-precision tiles on the tensor cores and add · a tile of 16×8, 8 deep · "
            "in float32 · of float32 rounded to tf32");
  EXPECT_EQ(inEnglish(kSass, "SHFL.BFLY PT, R5, R4, 0x10, 0x1f ;"),
            "SHFL.BFLY: take a register of another lane of the warp · the one whose number differs by a mask (xor)");
  EXPECT_EQ(inEnglish(kPtx, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1, %r2, %r3, %r4}, [%r5];"),
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16: load 8×8 matrices from shared memory, spread over the "
            "warp's lanes · all of them wait · four of them · transposed · shared memory");
}

TEST(Mnemonics, OfALongerNameComeBeforeThoseOfAShorter) {
  EXPECT_EQ(inEnglish(kSass, "IMAD.SHL.U32 R3, R4, 0x8, RZ"),
            "IMAD.SHL.U32: shift left, on the pipe of multiply-adds · unsigned");
  EXPECT_EQ(inEnglish(kPtx, "ld.param.u64 %rd1, [main_kernel_param_0];"),
            "ld.param.u64: read a parameter of the kernel");
  EXPECT_EQ(inEnglish(kPtx, "cp.async.wait_group 0;"),
            "cp.async.wait_group: wait until at most so many groups of copies are open");
}

TEST(Mnemonics, ThatAreNotKnownHaveNoWords) {
  for (const char* line : {"", "   ", "@P0", "ZORK.E R1", "$L__BB0_1:", ".reg .b32 %r<10>;", "{", "ret:"}) {
    EXPECT_EQ(inEnglish(kSass, line), "") << line;
    EXPECT_EQ(inEnglish(kPtx, line), "") << line;
  }
}

TEST(Mnemonics, StandOnceInEachTable) {
  for (auto table : {sassMnemonics(), sassModifiers(), ptxMnemonics(), ptxModifiers()}) {
    std::set<std::string_view> seen;
    for (const Mnemonic& m : table) EXPECT_TRUE(seen.insert(m.name).second) << m.name;
  }
}

TEST(Mnemonics, ExplainHoppersCopiesProductsAndBarriers) {
  EXPECT_EQ(inEnglish(kSass, "HGMMA.64x128x16.F32 R24, gdesc[UR16], R24 ;"),
            "HGMMA.64x128x16.F32: multiply tiles from shared memory by four warps together, without waiting: wgmma of "
            "float16, bfloat16 or tf32 · in float32");
  EXPECT_EQ(inEnglish(kSass, "@P0 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R2+URZ], RZ ;"),
            "SYNCS.ARRIVE.TRANS64.A1T0: arrive at an mbarrier, or announce bytes that copies will bring: "
            "mbarrier.arrive, expect_tx · which also counts bytes · one arrival");
  EXPECT_EQ(explain(kSass, "UTMALDG.2D [UR8], [UR6] ;", Language::kChinese),
            "UTMALDG.2D：由 TMA 把分块从全局内存拷贝到共享内存 · 二维的块");
  EXPECT_EQ(inEnglish(kSass, "UPLOP3.LUT UP0, UPT, UPT, UPT, UP1, 0x80, 0x0 ;"),
            "UPLOP3.LUT: any logic function of three predicates, by a table of eight, once for the warp");
}

// Those of the files, each "/*0000*/   OPCODE …": of which none has words in a language.
std::set<std::string> withoutWords(const std::vector<std::filesystem::path>& files, int& lines) {
  std::set<std::string> missing;
  for (const auto& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const std::size_t code = line.find("*/ ");
      if (!line.starts_with("/*") || code == std::string::npos) continue;
      const std::string instruction = line.substr(code + 3);
      ++lines;
      for (Language language : {Language::kEnglish, Language::kChinese}) {
        if (explain(kSass, instruction, language).empty()) missing.insert(instruction);
      }
    }
  }
  return missing;
}

// What the compiler really wrote for the profiled kernels.
TEST(Mnemonics, HaveWordsForEveryInstructionOfTheProfiledKernels) {
  std::vector<std::filesystem::path> files;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(TILELOOM_SOURCE_DIR) / "tests/model/profiled"))
    if (file.path().extension() == ".sass") files.push_back(file.path());
  int lines = 0;
  const std::set<std::string> missing = withoutWords(files, lines);
  EXPECT_GT(lines, 1000);
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

// One instruction for each opcode of the states of the lessons for Hopper, and what else Hopper has.
TEST(Mnemonics, HaveWordsForEveryInstructionOfHoppersLessons) {
  int lines = 0;
  const std::set<std::string> missing =
      withoutWords({std::filesystem::path(TILELOOM_SOURCE_DIR) / "tests/sass/hopper_instructions_sm_90a.sass"}, lines);
  EXPECT_GE(lines, 300);
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

}  // namespace
}  // namespace loom::text::code_mnemonics_view_test
