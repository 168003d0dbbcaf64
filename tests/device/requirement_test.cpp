#include "core/device/requirement.h"

#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"

namespace loom::device::requirement_test {
namespace {

using ir::intImm;

Buffer fragmentOf(const char* name, DType element, const char* scope) {
  return ir::makeBuffer(Id{9, 1}, name, element, {intImm(16), intImm(16)}, scope);
}

// A product of these factors, added up in this type.
Stmt product(DType factors, DType sums) {
  auto n = std::make_shared<OperationNode>();
  n->row = findOperation("wmma.mma");
  const Buffer d = fragmentOf("d", sums, "wmma.accumulator");
  for (const Buffer& b : {d, fragmentOf("a", factors, "wmma.matrix_a"), fragmentOf("b", factors, "wmma.matrix_b"), d})
    n->places.push_back({b, {intImm(0)}, 1, true});
  return n;
}

// s = s + a · b, of packed bytes.
Stmt dotProduct() {
  const Buffer sums = fragmentOf("sums", DType::Int(32), "local"),
               packed = fragmentOf("packed", DType::Int(8), "local");
  auto n = std::make_shared<StoreNode>();
  n->to = {sums, {intImm(0)}};
  const Expr operand = ir::load(packed, {intImm(0)});
  n->value = ir::call(DType::Int(32), "call_pure_extern",
                      {std::make_shared<ir::StringImmNode>("__dp4a"), operand, operand, ir::load(sums, {intImm(0)})});
  return n;
}

Requirement requirementOf(std::vector<Stmt> body) {
  Program program;
  program.kernels.emplace_back();
  program.kernels.back().body = seq(std::move(body));
  return device::requirementOf(program);
}

TEST(Requirement, IsThatOfTheNewestOperation) {
  const DType half = DType::Float(16), sums = DType::Float(32);
  EXPECT_EQ(requirementOf({barrier(), barrier()}).since, 0);
  EXPECT_EQ(requirementOf({dotProduct()}).operation, "__dp4a");
  EXPECT_EQ(requirementOf({dotProduct()}).since, 61);
  EXPECT_EQ(requirementOf({dotProduct(), product(half, sums)}).since, 70);
  EXPECT_EQ(requirementOf({product(half, sums), dotProduct()}).operation, "wmma.mma");
  const Requirement integers = requirementOf({product(half, sums), product(DType::UInt(8), DType::Int(32))});
  EXPECT_EQ(integers.since, 72);
  EXPECT_THAT(integers.operation, testing::StartsWith("wmma.mma of "));
}

TEST(Requirement, OlderGpusAreRefusedByName) {
  const Requirement needs{72, "wmma.mma of uint8", ""};
  const auto refused = checkArchitecture(needs, "sm_70");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "OldArchitecture");
  EXPECT_EQ(refused.error().forbids, Forbids::Hardware);
  EXPECT_EQ(refused.error().message.id(), "{} exists from compute capability {} on, and {} has {}");
  EXPECT_EQ(refused.error().message.english(),
            "wmma.mma of uint8 exists from compute capability 7.2 on, and sm_70 has 7.0");
  for (const char* fine : {"sm_72", "sm_90a", "sm_100", "", "compute", "sm_"})
    EXPECT_TRUE(checkArchitecture(needs, fine)) << fine;
  EXPECT_TRUE(checkArchitecture({}, "sm_50"));
}

TEST(Requirement, OfOneArchitectureIsRefusedOnNewerOnesAndInCodeForAll) {
  const Requirement needs{90, "wgmma.m64n8k16", "wgmma.m64n8k16"};
  EXPECT_EQ(onlyArchitecture(needs), "sm_90a");
  EXPECT_EQ(onlyArchitecture({90, "tma.load"}), "");
  EXPECT_TRUE(checkArchitecture(needs, "sm_90a"));
  EXPECT_EQ(checkArchitecture(needs, "sm_90").error().message.english(),
            "wgmma.m64n8k16 exists in code for sm_90a alone, which sm_90 isn't");
  EXPECT_EQ(checkArchitecture(needs, "sm_120").error().message.english(),
            "wgmma.m64n8k16 exists on GPUs of compute capability 9.0 alone, and sm_120 has 12.0");
  EXPECT_EQ(checkArchitecture(needs, "sm_80").error().message.english(),
            "wgmma.m64n8k16 exists from compute capability 9.0 on, and sm_80 has 8.0");
}

}  // namespace
}  // namespace loom::device::requirement_test
