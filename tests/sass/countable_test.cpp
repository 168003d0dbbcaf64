#include "core/sass/countable.h"

#include <gtest/gtest.h>

#include "core/model/pipe_usage.h"

namespace loom::model::countable_test {
namespace {

sass::Kernel code(const std::string& opcode) {
  const std::string text = ".headerflags @\"EF_CUDA_SM75\"\n.text.k:\n        /*0000*/                   " + opcode +
                           " R4, R8, R10, R4 ;\n        /*0010*/                   EXIT ;\n";
  return sass::parse(text)->front();
}

double flops(const std::string& opcode) { return sass::tensorFlops(code(opcode).instructions.front()); }

TEST(TensorInstruction, DoesAsManyOperationsAsItsShapeSays) {
  EXPECT_EQ(flops("HMMA.16816.F32"), 4096);
  EXPECT_EQ(flops("HMMA.1688.F32"), 2048) << "Turing's float16 and Ampere's tf32";
  EXPECT_EQ(flops("HMMA.1684.F32.TF32"), 1024);
  EXPECT_EQ(flops("IMMA.16832.S8.S8"), 8192);
  EXPECT_EQ(flops("IMMA.8816.S8.S8"), 2048);
  EXPECT_EQ(flops("DMMA.884"), 512);
  EXPECT_EQ(flops("HMMA.884.F32.F32.STEP0"), 0) << "one of four steps";
  EXPECT_EQ(flops("HMMA.SP.16832.F32"), 0);
  EXPECT_EQ(flops("FFMA"), 0);
}

TEST(TensorInstruction, IsDemandedByWhatItDoes) {
  const sass::Kernel turing = code("HMMA.1688.F32"), ampere = code("HMMA.16816.F32");
  EXPECT_EQ(pipeUsageOf(turing.instructions.front(), 8, nullptr).tensor, 4);
  EXPECT_EQ(pipeUsageOf(ampere.instructions.front(), 8, nullptr).tensor, 8);
}

TEST(MachineCode, IsUnderstoodOrSaysWhatIsNot) {
  for (const char* opcode : {"HMMA.16816.F32", "FFMA", "LDG.E.128", "LDSM.16.M88.4", "LDGSTS.E.BYPASS.128", "MUFU.RCP",
                             "HGMMA.64x8x16.F32", "UTMALDG.2D", "UBLKCP.S.G"})
    EXPECT_TRUE(sass::checkCountable(code(opcode))) << opcode;
  for (const char* opcode : {"LDTM.x16", "HMMA.884.F32.F32.STEP0", "HMMA.16899", "RED.E.ADD", "HGMMA.SP.64x8x32.F32"}) {
    const auto all = sass::checkCountable(code(opcode));
    ASSERT_FALSE(all) << opcode;
    EXPECT_EQ(all.error().code, "UnknownInstruction");
    EXPECT_NE(all.error().message.english().find(opcode), std::string::npos) << all.error().message.english();
  }
}

}  // namespace
}  // namespace loom::model::countable_test
