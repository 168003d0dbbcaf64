#include "core/model/compiled.h"

#include <gtest/gtest.h>

#include "tests/model/programs.h"

namespace loom::model::compiled_test {
namespace {

class LessonsCode : public testing::Test {
 protected:
  device::Program program = tensorCore();
  codegen::Source source = codegen::generate(program);
  KernelAccesses k = accessesOf(program.kernels.front());
  KernelCount written = countKernel(k);

  // A line of the text that holds `what`, from 1.
  int lineOf(const std::string& what) const {
    std::size_t at = source.text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return int(std::count(source.text.begin(), source.text.begin() + std::ptrdiff_t(at), '\n')) + 1;
  }
  CompiledCount count(const std::string& body) const {
    auto sass = sass::parse(".text.main_kernel:\n" + body + "        /*0f00*/   EXIT ;\n");
    EXPECT_TRUE(sass);
    return countCompiled(k, written, sass->front(), source);
  }
};

std::string mark(int line) { return "//## File \"kernel.cu\", line " + std::to_string(line) + "\n"; }

// 2·1024³ FLOP are 524288 products of m16n8k16; with 8 copies a pass, 65536 passes of all warps.
TEST_F(LessonsCode, LoopsAreCountedByWhatTheProgramFixes) {
  std::string body = ".L_x_0:\n" + mark(lineOf("wmma::load_matrix_sync"));
  body += "        /*0010*/   LDSM.16.M88.4 R60, [R60] ;\n" + mark(lineOf("wmma::mma_sync"));
  for (int i = 0; i < 8; ++i)
    body += "        /*00" + std::to_string(20 + i) + "*/   HMMA.16816.F32 R36, R60, R52, R36 ;\n";
  body += "        /*0100*/   @P0 BRA `(.L_x_0) ;\n";
  CompiledCount c = count(body);
  ASSERT_EQ(c.loops.size(), 1u);
  EXPECT_TRUE(c.loops[0].anchored);
  EXPECT_EQ(c.loops[0].iterations, 65536);
  EXPECT_EQ(c.executed.at(sass::Pipe::Tensor), 524288);
  EXPECT_EQ(c.hotLoop, 0);
  EXPECT_EQ(c.hotMix.at(sass::Pipe::Tensor), 8);
  ASSERT_EQ(c.memory.size(), 1u);
  EXPECT_EQ(c.memory[0].executions, 65536);
  EXPECT_EQ(c.memory[0].wavefronts, 65536 * 32.0) << "eight ways in each of four phases";
  EXPECT_EQ(c.sharedLoadConflicts, 65536 * 28.0);
}

TEST_F(LessonsCode, ALoadAsWideAsWrittenCostsWhatIsWritten) {
  int line = lineOf("reinterpret_cast<uint4*>(&X_shared");
  std::string body = ".L_x_0:\n" + mark(line) +
                     "        /*0010*/   LDG.E.128.CONSTANT R48, desc[UR4][R60.64] ;\n"
                     "        /*0020*/   STS.128 [R74], R48 ;\n"
                     "        /*0030*/   @P0 BRA `(.L_x_0) ;\n";
  CompiledCount c = count(body);
  EXPECT_TRUE(c.loops[0].anchored) << c.loops[0].how;
  EXPECT_EQ(c.loops[0].iterations, 32768) << "16 × 2 copies by 1024 warps";
  EXPECT_EQ(c.globalLoadSectors, 32768 * 16.0);
  EXPECT_EQ(c.sharedStoreConflicts, 0);
}

TEST_F(LessonsCode, CodeThatBelongsToNothingIsSaidToBeAssumed) {
  CompiledCount c =
      count(".L_x_0:\n        /*0010*/   IADD3 R1, R1, 0x1, RZ ;\n        /*0020*/   @P0 BRA `(.L_x_0) ;\n");
  ASSERT_EQ(c.loops.size(), 1u);
  EXPECT_FALSE(c.loops[0].anchored);
  EXPECT_NE(c.loops[0].how.english().find("assumed"), std::string::npos);
  EXPECT_FALSE(c.exact);
  EXPECT_TRUE(c.memory.empty());
}

TEST_F(LessonsCode, LinesOutsideTheTextDoNoHarm) {
  CompiledCount c = count(mark(100000) + "        /*0010*/   LDG.E R1, desc[UR4][R2.64] ;\n" + mark(-7) +
                          "        /*0020*/   STG.E desc[UR4][R2.64], R1 ;\n");
  EXPECT_EQ(c.memory.size(), 2u);
  EXPECT_EQ(c.memory[0].executions, 1024) << "once by each warp";
}

}  // namespace
}  // namespace loom::model::compiled_test
