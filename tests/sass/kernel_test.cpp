#include "core/sass/kernel.h"
#include "core/sass/operand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/latency.h"

namespace loom::model::kernel_test {
namespace {

const char* kText = R"(	.section	.text.main_kernel,"ax",@progbits
.text.main_kernel:
	//## File "kernel.cu", line 4
        /*0000*/                   MOV R1, RZ ;
.L_x_1:
	//## File "kernel.cu", line 9
        /*0010*/                   LDG.E.128.CONSTANT R48, desc[UR4][R60.64] ;
        /*0020*/                   STS.128 [R74+0x2000], R48 ;
        /*0030*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
.L_x_0:
	//## File "/usr/include/mma.hpp", line 91
        /*0040*/                   LDSM.16.M88.4 R60, [R60] ;
        /*0050*/                   LDS.U16 R9, [R2+0x2] ;
	//## File "kernel.cu", line 12
        /*0060*/                   HMMA.16816.F32 R36, R60, R52.reuse, R36 ;
        /*0070*/                   FFMA R5, R5, R24, R26 ;
        /*0080*/              @!P1 BRA `(.L_x_0) ;
        /*0090*/               @P0 BRA `(.L_x_1) ;
        /*00a0*/                   STG.E.64 desc[UR4][R2.64+0x8000], R38 ;
        /*00b0*/                   EXIT ;
.L_x_2:
        /*00c0*/                   BRA `(.L_x_2);
        /*00d0*/                   NOP;
	.section	.nv.info
)";

sass::Kernel parsed() { return sass::parse(kText)->front(); }

TEST(Sass, InstructionsHaveTheirPipeWidthAndLine) {
  sass::Kernel k = parsed();
  EXPECT_EQ(k.name, "main_kernel");
  ASSERT_EQ(k.instructions.size(), 13u) << "NOPs behind the code are left out";
  const auto& i = k.instructions;
  EXPECT_EQ(i[1].pipe, sass::Pipe::GlobalLoad);
  EXPECT_EQ(i[1].bytes, 16);
  EXPECT_EQ(i[1].line, 9);
  EXPECT_EQ(i[2].pipe, sass::Pipe::SharedStore);
  EXPECT_EQ(i[4].pipe, sass::Pipe::LdMatrix);
  EXPECT_EQ(i[4].matrices, 4);
  EXPECT_EQ(i[4].line, 9) << "what a header inlines belongs to the line before";
  EXPECT_EQ(i[5].bytes, 2);
  EXPECT_EQ(i[6].pipe, sass::Pipe::Tensor);
  EXPECT_EQ(i[6].line, 12);
  EXPECT_TRUE(i[8].predicated);
  EXPECT_EQ(i[10].bytes, 8);
}

TEST(Sass, WhatAHeaderInlinesBelongsToTheLineThatCallsIt) {
  const std::string text = R"(.text.main_kernel:
	//## File "/a/kernel.cu", line 7
        /*0000*/                   MOV R1, RZ ;
	//## File "/usr/include/crt/mma.hpp", line 91 inlined at "/usr/include/outer.h", line 5
	//## File "/usr/include/outer.h", line 5 inlined at "/a/kernel.cu", line 36
	//## File "/a/kernel.cu", line 36
        /*0010*/                   LDSM.16.M88.4 R60, [R60] ;
        /*0020*/                   LDSM.16.M88.4 R64, [R60] ;
	//## File "/a/kernel.cu", line 21
        /*0030*/                   EXIT ;
)";
  const sass::Kernel k = sass::parse(text)->front();
  ASSERT_EQ(k.instructions.size(), 4u);
  EXPECT_EQ(k.instructions[1].line, 36);
  EXPECT_EQ(k.instructions[1].inlined, "mma.hpp:91 ← outer.h:5");
  EXPECT_EQ(k.instructions[2].inlined, k.instructions[1].inlined);
  EXPECT_EQ(k.instructions[3].line, 21);
  EXPECT_EQ(k.instructions[3].inlined, "");
}

TEST(Sass, ConstantsMayHaveASign) {
  for (const std::string sign : {"", "-", "~"}) {
    const sass::Operand o = sass::parseOperand(sign + "c[0x0][0x160]");
    EXPECT_EQ(o.kind, sass::Operand::Kind::Constant) << sign;
    EXPECT_EQ(o.index, 0);
    EXPECT_EQ(o.value, 0x160);
    EXPECT_EQ(o.minus, sign == "-");
    EXPECT_EQ(o.invert, sign == "~");
  }
  EXPECT_EQ(sass::parseOperand("|c[0x0][0x160]|").kind, sass::Operand::Kind::Special);
  EXPECT_EQ(sass::parseOperand("-0x10").value, -16);
  EXPECT_FALSE(sass::parseOperand("-0x10").minus);
}

TEST(Sass, RegistersOfWideOperandsAreAllNamed) {
  sass::Kernel k = parsed();
  EXPECT_THAT(k.instructions[1].writes, testing::ElementsAre(48, 49, 50, 51));
  EXPECT_THAT(k.instructions[1].reads, testing::IsSupersetOf({60, 61}));
  EXPECT_TRUE(k.instructions[2].writes.empty()) << "a store writes no register";
  EXPECT_THAT(k.instructions[2].reads, testing::IsSupersetOf({74, 48, 51}));
  EXPECT_THAT(k.instructions[6].writes, testing::ElementsAre(36, 37, 38, 39));
}

TEST(Sass, OperandsOfProductsAreAsWideAsTheirElements) {
  const auto first = [](const std::string& code) {
    return sass::parse(".text.main_kernel:\n        /*0000*/   " + code + " ;\n")->front().instructions.front();
  };
  const sass::Instruction half = first("HMMA.16816.F16 R52, R32.reuse, R36, R52");
  EXPECT_THAT(half.writes, testing::ElementsAre(52, 53)) << "16 x 8 sums of two bytes";
  EXPECT_THAT(half.reads, testing::ElementsAre(32, 33, 34, 35, 36, 37, 52, 53));
  const sass::Instruction bytes = first("IMMA.16816.S8.S8 R60, R136.ROW, R132.COL, R60");
  EXPECT_THAT(bytes.writes, testing::ElementsAre(60, 61, 62, 63));
  EXPECT_THAT(bytes.reads, testing::ElementsAre(136, 137, 132, 60, 61, 62, 63));
  EXPECT_THAT(first("HMMA.1688.F32 R8, R4, R6, R8").reads, testing::ElementsAre(4, 5, 6, 8, 9, 10, 11));
  EXPECT_EQ(first("HMMA.SP.16832.F32 R8, R4, R6, R8").writes.size(), 4U) << "not known";
}

TEST(Sass, LoopsAreWhatBackwardBranchesClose) {
  sass::Kernel k = parsed();
  ASSERT_EQ(k.loops.size(), 2u) << "the trap behind EXIT is none";
  EXPECT_EQ(k.loops[0].first, 0x10);
  EXPECT_EQ(k.loops[0].last, 0x90);
  EXPECT_EQ(k.loops[1].parent, 0);
  EXPECT_EQ(k.instructions[7].loop, 1);
  EXPECT_EQ(k.instructions[1].loop, 0);
  EXPECT_EQ(k.instructions[10].loop, -1);
}

TEST(Latency, AChainWaitsAndIndependentWorkDoesNot) {
  auto kernel = [](const std::string& body) {
    return sass::parse(".text.k:\n.L_x_0:\n" + body +
                       "        /*0100*/   @P0 BRA `(.L_x_0) ;\n        /*0110*/   EXIT ;\n")
        ->front();
  };
  Latencies l;
  double chain =
      passLatency(kernel("        /*0010*/   FFMA R1, R2, R3, R1 ;\n        /*0020*/   FFMA R1, R2, R3, R1 ;\n"
                         "        /*0030*/   FFMA R1, R2, R3, R1 ;\n        /*0040*/   FFMA R1, R2, R3, R1 ;\n"),
                  0, l);
  double apart =
      passLatency(kernel("        /*0010*/   FFMA R1, R2, R3, R1 ;\n        /*0020*/   FFMA R4, R2, R3, R4 ;\n"
                         "        /*0030*/   FFMA R5, R2, R3, R5 ;\n        /*0040*/   FFMA R6, R2, R3, R6 ;\n"),
                  0, l);
  EXPECT_NEAR(chain - apart, 3 * (l.arithmetic - 1), 1e-9);
  // Sums of two bytes take two registers, so that these two products have none in common.
  double products = passLatency(kernel("        /*0010*/   HMMA.16816.F16 R52, R32, R36, R52 ;\n"
                                       "        /*0020*/   HMMA.16816.F16 R54, R32, R38, R54 ;\n"),
                                0, l);
  EXPECT_LT(products, 2 * l.tensor);
  double load =
      passLatency(kernel("        /*0010*/   LDS R2, [R7] ;\n        /*0020*/   FFMA R1, R2, R3, R1 ;\n"), 0, l);
  EXPECT_GE(load, l.shared);
}

TEST(SassRefuses, WhatHoldsNoCode) {
  for (const char* text :
       {"", "nonsense", ".text.k:\n", ".text.k:\n        /*0000*/  NOP;\n", "        /*0000*/  MOV R1, RZ ;\n"}) {
    auto k = sass::parse(text);
    ASSERT_FALSE(k) << text;
    EXPECT_EQ(k.error().code, "SassError");
  }
}

TEST(SassRefuses, BrokenLinesAreLeftOutNotMisread) {
  auto k = sass::parse(
      ".text.k:\n        /*zz*/ FFMA R1, R2 ;\n        /*0010 FFMA\n        /*0020*/\n"
      "        /*0030*/ @P0\n        /*0040*/ BRA `(.L_nowhere) ;\n        /*0050*/ FFMA R1, R999, R3, R1 ;\n");
  ASSERT_TRUE(k);
  EXPECT_EQ(k->front().instructions.size(), 2u);
  EXPECT_TRUE(k->front().loops.empty());
}

}  // namespace
}  // namespace loom::model::kernel_test
