// Each product of a warpgroup, with the copies that bring its factors, as CUDA: NVRTC takes the texts, and its
// assembler has no remark on them. (It would say that it serialized products that registers or fences don't let
// overlap.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "core/compile/compile.h"
#include "core/device/operations/families.h"
#include "core/lower/lower.h"
#include "tests/device/warpgroup_program.h"
#include "tests/exec/scheduled.h"

namespace loom::device::wgmma_text_test {
namespace {

using testing::HasSubstr;

// Null where there is no NVRTC.
std::shared_ptr<const compile::Compiler> nvrtcHere() {
  auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  if (!toolkit) return nullptr;
  return compile::Compiler::load(*toolkit).value_or(nullptr);
}

// One kernel for each product of n columns. Second factors that lie by rows need whole lines of 64 elements.
codegen::Source productsOf(int n) {
  WarpgroupProgram all;
  for (const OperationFamily* family : operationFamilies())
    for (const OperationRow& row : family->rows)
      if (row.group == Group::Warpgroup && row.multiplies() && row.tile.n == n &&
          (!row.operands[2].rowMajor || n % 64 == 0))
        all.add(row);
  return codegen::generate(all.program);
}

class WarpgroupText : public testing::TestWithParam<int> {};

TEST_P(WarpgroupText, OfEachFactorIsCompiledWithoutARemark) {
  const codegen::Source source = productsOf(GetParam());
  // f16 and bf16 in four orders, tf32, two of 8-bit floats and two of integers.
  EXPECT_EQ(source.launches.size(), GetParam() % 64 == 0 ? 13u : 9u);
  const auto nvrtc = nvrtcHere();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  const auto binary = nvrtc->compile({source.text, "sm_90a", false, {}, source.needs});
  ASSERT_TRUE(binary) << binary.error().message.english() << source.text;
  EXPECT_EQ(binary->log, "") << source.text;
  ASSERT_EQ(binary->kernels.size(), source.launches.size());
  for (const compile::KernelResources& k : binary->kernels) {
    EXPECT_EQ(k.spillStores + k.spillLoads + k.stack, 0) << k.name;
    EXPECT_GE(k.registers, GetParam() / 2) << "the sum of " << k.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, WarpgroupText, testing::Values(8, 64, 128, 256));

// The sums stay in their registers through a pipeline's loop and what is after it.
TEST(WarpgroupTexts, OfAPipelineAreCompiledWithoutARemark) {
  const auto nvrtc = nvrtcHere();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  const auto program = lower::lower(
      exec::scheduled(exec::matmul(512, 512, 512, "float16"), tests::scheduleText("warpgroup_products_in_two_stages")));
  ASSERT_TRUE(program) << program.error().message.english();
  const codegen::Source source = codegen::generate(*program);
  const auto binary = nvrtc->compile({source.text, "sm_90a", false, {}, source.needs});
  ASSERT_TRUE(binary) << binary.error().message.english() << source.text;
  EXPECT_EQ(binary->log, "") << source.text;
  EXPECT_EQ(binary->kernels.at(0).spillStores, 0);
}

// What the tests above would find.
TEST(WarpgroupTexts, WhoseSumsAreReadTooEarlyGetARemark) {
  const auto nvrtc = nvrtcHere();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  std::string text = productsOf(8).text;
  const std::string wait = "  wgmma_wait<0>();\n";
  for (std::size_t at = text.find(wait); at != std::string::npos; at = text.find(wait)) text.erase(at, wait.size());
  const auto binary = nvrtc->compile({text, "sm_90a", false, {}});
  ASSERT_TRUE(binary) << binary.error().message.english();
  EXPECT_THAT(binary->log, HasSubstr("C7517"));
}

TEST(WarpgroupTexts, AreOfOneArchitectureAlone) {
  const codegen::Source source = productsOf(8);
  EXPECT_TRUE(checkArchitecture(source.needs, "sm_90a"));
  for (const char* other : {"sm_80", "sm_90", "sm_100a", "sm_120"}) {
    const auto refused = checkArchitecture(source.needs, other);
    ASSERT_FALSE(refused) << other;
    EXPECT_EQ(refused.error().code, "OldArchitecture");
    EXPECT_THAT(refused.error().message.english(), HasSubstr(other));
  }
  const auto nvrtc = nvrtcHere();
  if (!nvrtc) GTEST_SKIP() << "no NVRTC on this machine";
  EXPECT_FALSE(nvrtc->compile({source.text, "sm_90", false, {}, source.needs})) << "it is refused with reason";
}

}  // namespace
}  // namespace loom::device::wgmma_text_test
