#include "app/panels/code/view/mnemonics.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace loom::text {
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

// What the compiler really wrote for the profiled kernels.
TEST(Mnemonics, HaveWordsForEveryInstructionOfTheProfiledKernels) {
  std::set<std::string> missing;
  int lines = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(TILELOOM_SOURCE_DIR) / "tests/model/profiled")) {
    if (file.path().extension() != ".sass") continue;
    std::ifstream in(file.path());
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
  EXPECT_GT(lines, 1000);
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

}  // namespace
}  // namespace loom::text
