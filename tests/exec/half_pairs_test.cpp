// Lanes of float16 and bfloat16 are computed two at a time, whether or not their operands lie side by side.
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/codegen/expression.h"
#include "core/compile/compile.h"
#include "core/device/half_pairs.h"
#include "core/ir/build.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::half_pairs_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Expects a scheduled function to compute what the function does, by a kernel without fault, and returns its text.
codegen::Source rightSourceOf(const ir::Function& function, const ir::Function& scheduled) {
  const auto program = lower::lower(scheduled);
  if (!program) throw std::runtime_error(program.error().message.english());
  codegen::Source source = codegen::generate(*program);
  const Report report = check(function, scheduled).value();
  EXPECT_EQ(report.status, Report::Status::Verified) << describe(report).english() << source.text;
  return source;
}
codegen::Source rightSourceOf(const std::string& function) { return rightSourceOf(parse(function), parse(function)); }
// Expects CUDA to take a text, where there is NVRTC.
void expectCompiled(const codegen::Source& source) {
  static const auto toolkit = compile::findToolkit(compile::defaultSearchPath());
  static const auto nvrtc = toolkit ? compile::Compiler::load(*toolkit).value_or(nullptr) : nullptr;
  if (!nvrtc) return;
  const auto binary = nvrtc->compile({source.text, "sm_90a", false, {}, source.needs});
  EXPECT_TRUE(binary) << binary.error().message.english() << source.text;
}

// C[i] = B[i] + A[i * stride] * B[0] in vectors of `lanes`. Expects the kernel to be right and returns its text.
std::string rightText(const std::string& type, int stride, int lanes) {
  const std::string function = tests::programText("halves_apart", {{"TYPE", type}, {"STRIDE", stride}});
  const std::string lines = tests::scheduleText("vectors_of_threads", {{"LANES", lanes}});
  return rightSourceOf(parse(function), scheduled(function, lines)).text;
}

TEST(HalfPairs, TakeOperandsThatLieApart) {
  const std::string text = rightText("float16", 3, 2);
  EXPECT_THAT(text, AllOf(HasSubstr("*reinterpret_cast<half2*>(&C[tx * 2]) = *reinterpret_cast<const half2*>(&B[tx * 2"
                                    "]) + half2(A[tx * 6], A[tx * 6 + 3]) * __half2half2(B[0]);"),
                          Not(HasSubstr("lane"))));
}

TEST(HalfPairs, OfFourLanesWhoseOperandsLieApartAreALoop) {
  const std::string text = rightText("float16", 3, 4);
  EXPECT_THAT(text, AllOf(HasSubstr("half2(A["), HasSubstr("#pragma unroll"), Not(HasSubstr("half result"))));
}

TEST(HalfPairs, OfWideVectorsStayInThem) {
  const std::string text = rightText("float16", 1, 8);
  EXPECT_THAT(text, AllOf(HasSubstr("alignas(16) half2 A_lanes[4];"), HasSubstr("pair < 4"),
                          HasSubstr("result[pair] = B_lanes[pair] + A_lanes[pair] * __half2half2(B[0]);")));
}

TEST(HalfPairs, AreOfBothTypesOf16BitsAndOfNoOther) {
  EXPECT_THAT(rightText("bfloat16", 3, 2),
              AllOf(HasSubstr("+ __nv_bfloat162(A["), HasSubstr("__bfloat162bfloat162(B[0])")));
  EXPECT_THAT(rightText("float32", 3, 2), Not(HasSubstr("2(A[")));
}

// Each thread makes `lanes` elements, of its block's slice S[z, …] of a buffer and of the other's, S[1 - z, …].
codegen::Source sourceOfBlocks(const std::string& type, int lanes, const std::string& value) {
  return rightSourceOf(
      tests::programText("halves_of_another_block", {{"TYPE", type}, {"LANES", lanes}, {"VALUE", value}}));
}
std::string textOfBlocks(const std::string& type, int lanes, const std::string& value) {
  const codegen::Source source = sourceOfBlocks(type, lanes, value);
  expectCompiled(source);
  return source.text;
}

TEST(HalfPairs, TakeOperandsOfAnotherBlockOfTheCluster) {
  EXPECT_THAT(textOfBlocks("float16", 2, "S[1 - z, t * 2 + v] + B[t, v * 2]"),
              HasSubstr("= cluster_load<half2>(&S[tx * 2], 1 - bz) + half2(B[tx * 16], B[tx * 16 + 2]);"));
  EXPECT_THAT(textOfBlocks("bfloat16", 2, "S[1 - z, t * 2 + v] * S[z, t * 2 + v]"),
              HasSubstr("= cluster_load<__nv_bfloat162>(&S[tx * 2], 1 - bz) * "));
  EXPECT_THAT(textOfBlocks("float16", 2, "C[z, t * 2 + v] + S[1 - z, t * 2 + v]"),
              HasSubstr("+= cluster_load<half2>(&S[tx * 2], 1 - bz);"));
  EXPECT_THAT(textOfBlocks("float16", 2, "S[1 - z, t * 2 + v] - S[1 - z, 127 - t * 2 - v]"),
              HasSubstr("- half2(cluster_load<half>(&S["));
  EXPECT_THAT(textOfBlocks("float16", 2, "B[t, v * 3] * S[1 - z, t] + B[t, v]"),
              HasSubstr("* __half2half2(cluster_load<half>(&S[tx], 1 - bz))"));
}

TEST(HalfPairs, OfWideVectorsOfAnotherBlockStayInThem) {
  EXPECT_THAT(textOfBlocks("float16", 8, "S[1 - z, t * 8 + v] * B[t, v] + B[0, 0]"),
              AllOf(HasSubstr("alignas(16) half2 S_lanes[4];"), HasSubstr("= cluster_load<uint4>("),
                    HasSubstr("S_lanes[pair] * B_lanes[pair]")));
  EXPECT_THAT(textOfBlocks("float16", 4, "S[1 - z, t * 4 + v] * B[t, v * 2]"),
              AllOf(HasSubstr("cluster_load<half2>("), HasSubstr("#pragma unroll"), Not(HasSubstr("half result"))));
}

TEST(HalfPairs, SingleBytesOfAnotherBlockAreRead) {
  for (const char* type : {"int8", "uint8"})
    EXPECT_THAT(textOfBlocks(type, 1, "S[1 - z, t] + B[t, 0]"), HasSubstr("= cluster_load_byte<"));
  EXPECT_THAT(textOfBlocks("float16", 1, "S[1 - z, t] + B[t, 0]"), Not(HasSubstr("cluster_load_byte")));
}

// What lanes read from slices of different blocks is no vector, though all slices lie at one address.
TEST(HalfPairs, OfLanesThatReadDifferentBlocksAreGathered) {
  const std::string both = "half2(cluster_load<half>(&S[tx * 2], 0), cluster_load<half>(&S[tx * 2";
  EXPECT_THAT(textOfBlocks("float16", 2, "S[v, t * 2] + B[t, v]"), HasSubstr(both + "], 1))"));
  EXPECT_THAT(textOfBlocks("float16", 2, "S[v, t * 2 + v] + B[t, v]"), HasSubstr(both + " + 1], 1))"));
  for (const char* type : {"float16", "float32", "int8"})
    for (const char* value : {"S[v, t * 2]", "S[v, t * 2 + v]", "S[v, t * 2 + v] + B[t, 0]", "S[1 - v, t + v]"})
      sourceOfBlocks(type, 2, value);
  for (const char* value : {"S[v // 2, t * 4 + v]", "S[v % 2, t * 4 + v]"}) sourceOfBlocks("float16", 4, value);
}

// Elements that share bytes are read one by one, and so is what they are the numbers of.
TEST(HalfPairs, OfLanesThatAreNumberedByPartsOfBytes) {
  const auto sourceOf = [](const char* numbers, const char* type, const char* value) {
    return rightSourceOf(
        tests::programText("halves_by_numbers", {{"NUMBERS", numbers}, {"TYPE", type}, {"VALUE", value}}));
  };
  for (const char* type : {"float16", "bfloat16"}) {
    for (const char* value :
         {"A[T.Cast(\"int32\", I[t * 4 + v])] + B[t, v]", "A[T.Cast(\"int32\", I[t * 4])] + B[t, v * 2]",
          "B[t, v] - A[T.Cast(\"int32\", I[t * 4 + v])] * A[T.Cast(\"int32\", I[255 - t * 4 - v])]"})
      for (const char* numbers : {"uint4", "uint2", "uint1"}) sourceOf(numbers, type, value);
    expectCompiled(sourceOf("uint4", type, "A[T.Cast(\"int32\", I[t * 4 + v])] + B[t, v * 2]"));
  }
}

// Outside of pairs, a lane has its own of the scalars.
TEST(HalfPairs, AreTakenApartWhereLanesArePrinted) {
  arith::Analyzer analyzer;
  codegen::ExpressionPrinter print([](const ir::VarNode* v) { return v->name; },
                                   [](const ir::BufferNode* b) { return b->name; }, analyzer);
  std::vector<ir::Expr> scalars;
  for (const char* name : {"x", "y", "z", "w"}) scalars.push_back(ir::makeVar(name, ir::DType::Float(16)));
  const auto noLoads = [](const ir::LoadNode*) { return std::string(); };
  const ir::Expr pair = device::gathered({scalars[0], scalars[1]});
  EXPECT_EQ(print.printLane(pair, "lane", noLoads), "lane == 0 ? x : y");
  EXPECT_EQ(print.printLane(device::gathered(scalars), "lane", noLoads),
            "lane == 0 ? x : lane == 1 ? y : lane == 2 ? z : w");
  EXPECT_EQ(print.printLane(
                std::make_shared<ir::BinaryNode>(ir::ExprKind::Mul, pair, ir::broadcast(scalars[2], 2), pair->dtype),
                "lane", noLoads),
            "(lane == 0 ? x : y) * z");
  EXPECT_EQ(print.printPairs(pair, noLoads), "half2(x, y)");
}

}  // namespace
}  // namespace loom::exec::half_pairs_test
