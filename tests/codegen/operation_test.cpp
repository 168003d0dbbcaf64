// Operations on scalars as CUDA C++: what a reader sees, and what is refused by name instead.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/codegen/operation_text.h"
#include "core/lower/lower.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::codegen::operation_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// C[vi] = value, of buffers A and B of one dtype.
Result<device::Program> lowered(const std::string& dtype, const std::string& result, const std::string& value) {
  auto module = script::parseModule(
      tests::programText("values_of_two_buffers", {{"TYPE", dtype}, {"RESULT", result}, {"VALUE", value}}), "test.py");
  if (!module) return Failure(module.error());
  return lower::lower(module->functions.front());
}

// The text of the value.
std::string text(const std::string& dtype, const std::string& result, const std::string& value) {
  auto program = lowered(dtype, result, value);
  if (!program) return program.error().code + ": " + program.error().message.english();
  std::string all = generate(*program).text;
  std::size_t at = all.find("C[tx] = ");
  return at == std::string::npos ? all : all.substr(at + 8, all.find(";\n", at) - at - 8);
}

TEST(OperationText, IsCudasFunctionOfTheDtype) {
  EXPECT_EQ(text("float32", "float32", "T.exp(A[vi])"), "__expf(A[tx])");
  EXPECT_EQ(text("float64", "float64", "T.exp(A[vi])"), "exp(A[tx])");
  EXPECT_EQ(text("float16", "float16", "T.exp(A[vi])"), "half(__expf(float(A[tx])))");
  EXPECT_EQ(text("bfloat16", "bfloat16", "T.tan(A[vi])"), "__nv_bfloat16(tanf(float(A[tx])))");
  EXPECT_EQ(text("float16", "float16", "T.pow(A[vi], B[vi])"), "half(powf(float(A[tx]), float(B[tx])))");
  EXPECT_EQ(text("float16", "float16", "T.pow(A[vi], T.float16(2))"), "half(powf(float(A[tx]), 2.0f))");
  EXPECT_EQ(text("float16", "float16", "T.round(A[vi])"), "half(rintf(float(A[tx])))");
  EXPECT_EQ(text("float32", "float32", "T.round(A[vi])"), "roundf(A[tx])");
  EXPECT_EQ(text("float32", "float32", "T.sigmoid(A[vi])"), "(1.0f / (1.0f + __expf(-(A[tx]))))");
  EXPECT_EQ(text("float16", "float16", "T.call_intrin(\"float16\", \"tir.fma\", A[vi], B[vi], A[vi])"),
            "__hfma(A[tx], B[tx], A[tx])");
}

TEST(OperationText, OfIntegersIsOfTheirWidth) {
  EXPECT_EQ(text("uint32", "uint32", "T.popcount(A[vi])"), "unsigned(__popc(A[tx]))");
  EXPECT_EQ(text("int32", "int32", "T.popcount(A[vi])"), "__popc(A[tx])");
  EXPECT_EQ(text("int8", "int8", "T.popcount(A[vi])"), "(signed char)__popc((unsigned char)A[tx])");
  EXPECT_EQ(text("int64", "int64", "T.popcount(A[vi])"), "(long long)__popcll(A[tx])");
  EXPECT_EQ(text("int64", "int32", "T.clz(A[vi])"), "__clzll(A[tx])");
  EXPECT_EQ(text("uint16", "int32", "T.clz(A[vi])"), "__clz(A[tx]) - 16");
  EXPECT_EQ(text("int32", "int32", "T.bitwise_not(A[vi])"), "~A[tx]");
  EXPECT_EQ(text("bool", "bool", "T.bitwise_not(A[vi])"), "!A[tx]");
}

TEST(OperationText, ReinterpretKeepsTheBits) {
  EXPECT_EQ(text("float32", "int32", "T.reinterpret(\"int32\", A[vi])"), "__float_as_int(A[tx])");
  EXPECT_EQ(text("uint32", "float32", "T.reinterpret(\"float32\", A[vi])"), "__uint_as_float(A[tx])");
  EXPECT_EQ(text("float16", "uint16", "T.reinterpret(\"uint16\", A[vi])"), "__half_as_ushort(A[tx])");
  EXPECT_EQ(text("bfloat16", "float16", "T.reinterpret(\"float16\", A[vi])"),
            "__short_as_half(__bfloat16_as_short(A[tx]))");
  EXPECT_EQ(text("int64", "float64", "T.reinterpret(\"float64\", A[vi])"), "__longlong_as_double(A[tx])");
}

// C++ computes narrow integers as int; their type's value is what the program means.
TEST(OperationText, NarrowIntegersAreCutBeforeTheirUpperBitsMatter) {
  EXPECT_EQ(text("int8", "int8", "A[vi] + B[vi]"), "A[tx] + B[tx]") << "the store cuts";
  EXPECT_EQ(text("int8", "int8", "T.truncdiv(A[vi] + B[vi], B[vi])"), "(signed char)(A[tx] + B[tx]) / B[tx]");
  EXPECT_EQ(text("uint8", "bool", "A[vi] - B[vi] < B[vi]"), "(unsigned char)(A[tx] - B[tx]) < B[tx]");
  EXPECT_EQ(text("int16", "int32", "T.Cast(\"int32\", A[vi] * B[vi])"), "int(short(A[tx] * B[tx]))");
  EXPECT_EQ(text("int32", "int32", "T.truncdiv(A[vi] + B[vi], B[vi])"), "(A[tx] + B[tx]) / B[tx]");
}

TEST(OperationText, LiteralsAreOfTheirType) {
  EXPECT_EQ(text("int32", "int32", "T.min_value(\"int32\")"), "(-2147483647 - 1)");
  EXPECT_EQ(text("int64", "int64", "T.min_value(\"int64\")"), "(-9223372036854775807ll - 1)");
  EXPECT_EQ(text("uint32", "uint32", "T.max_value(\"uint32\")"), "4294967295u");
  EXPECT_EQ(text("uint64", "uint64", "T.max_value(\"uint64\")"), "18446744073709551615ull");
  EXPECT_EQ(text("uint32", "uint32", "A[vi] + T.uint32(7)"), "A[tx] + 7");
}

TEST(OperationText, FloorDivisionOfAnyNumbersStaysWithinTheType) {
  EXPECT_EQ(text("int32", "int32", "A[vi] // 3"), "A[tx] / 3 - (A[tx] % 3 < 0)");
  EXPECT_EQ(text("int32", "int32", "A[vi] % 3"), "A[tx] % 3 + (A[tx] % 3 < 0 ? 3 : 0)");
  EXPECT_EQ(text("int32", "int32", "A[vi] // B[vi]"),
            "A[tx] / B[tx] - (A[tx] % B[tx] != 0 && (A[tx] % B[tx] < 0) != (B[tx] < 0))");
  EXPECT_EQ(text("uint32", "uint32", "A[vi] // T.uint32(3)"), "A[tx] / 3");
  EXPECT_EQ(text("int32", "int32", "A[vi] // 4"), "A[tx] >> 2");
  EXPECT_EQ(text("float32", "float32", "T.truncmod(A[vi], B[vi])"), "fmodf(A[tx], B[tx])");
}

TEST(OperationText, Float8GoesThroughFloat) {
  EXPECT_EQ(text("float8_e4m3fn", "float8_e4m3fn", "A[vi] + B[vi]"), "__nv_fp8_e4m3(float(A[tx]) + float(B[tx]))");
  EXPECT_EQ(text("float8_e5m2", "bool", "A[vi] < B[vi]"), "float(A[tx]) < float(B[tx])");
  EXPECT_EQ(text("float8_e5m2", "float8_e4m3fn", "T.Cast(\"float8_e4m3fn\", A[vi])"), "__nv_fp8_e4m3(float(A[tx]))");
}

// The buffers are named like what the text calls.
TEST(OperationText, OfABufferThatIsCalledLikeAFunction) {
  const std::string function = tests::programText("buffers_called_like_functions");
  std::string all = generate(lower::lower(script::parseModule(function, "test.py")->functions.front()).value()).text;
  EXPECT_THAT(all, HasSubstr("half* __restrict__ rintf_1)"));
  EXPECT_THAT(all, HasSubstr("__expf(-(float(_expf[tx])))"));
}

TEST(OperationText, OfAVectorizedLoopIsThatOfItsIterations) {
  const std::string function = tests::programText("vectorized_fmod");
  std::string all = generate(lower::lower(script::parseModule(function, "test.py")->functions.front()).value()).text;
  // One lane after the other, between a vector that is read and one that is written.
  EXPECT_THAT(all, HasSubstr("*reinterpret_cast<float4*>(A_lanes) = *reinterpret_cast<const float4*>(&A[tx * 4]);"));
  EXPECT_THAT(all, HasSubstr("result[lane] = fmodf(__expf(A_lanes[lane]), 2.0f);"));
  EXPECT_THAT(all, HasSubstr("*reinterpret_cast<float4*>(&C[tx * 4]) = *reinterpret_cast<float4*>(result);"));
}

TEST(OperationText, NoNameOfAValueIsInTheText) {
  EXPECT_EQ(text("int32", "int32", "T.Let(x + 1, where={x: A[vi]})").find("no C++"), std::string::npos);
}

TEST(OperationText, FunctionsAreThoseThatItCalls) {
  EXPECT_EQ(functionsIn("(1.0f / (1.0f + __expf(-({0}))))"), std::set<std::string>{"__expf"});
  EXPECT_EQ(functionsIn("__clz({0}) - 16"), std::set<std::string>{"__clz"});
  EXPECT_TRUE(functionsIn("").empty());
}

TEST(Operations, WithoutCudaTextAreRefusedByNameAndPlace) {
  auto refused = [](const std::string& dtype, const std::string& result, const std::string& value) {
    auto program = lowered(dtype, result, value);
    EXPECT_FALSE(program) << value;
    if (program) return std::string();
    EXPECT_EQ(program.error().code, "NotAKernel");
    EXPECT_EQ(program.error().subjects.size(), 1u);
    EXPECT_THAT(program.error().message.english(), HasSubstr("(block C)"));
    return program.error().message.english();
  };
  EXPECT_THAT(refused("float16", "float16", "T.popcount(A[vi])"),
              HasSubstr("T.popcount in a kernel is of whole numbers"));
  EXPECT_THAT(refused("int32", "int32", "T.exp(A[vi])"), HasSubstr("T.exp in a kernel is of floating-point numbers"));
  EXPECT_THAT(refused("float16", "float16", "T.nextafter(A[vi], B[vi])"), HasSubstr("float32 and float64"));
  EXPECT_THAT(refused("int32", "int32", "T.undef()"), HasSubstr("T.undef"));
  EXPECT_THAT(refused("int32", "int32", "T.vscale()"), HasSubstr("T.vscale"));
  EXPECT_THAT(refused("int32", "int32", "T.ret(A[vi])"), HasSubstr("T.ret"));
  EXPECT_THAT(refused("int32", "bool", "T.assume(A[vi] > 0)"), HasSubstr("T.assume"));
  EXPECT_THAT(refused("int32", "int32", "T.tvm_warp_shuffle(0, A[vi], 1, 32, 32)"), HasSubstr("T.tvm_warp_shuffle"));
  EXPECT_THAT(refused("float32", "float32", "T.call_pure_extern(\"float32\", \"my_function\", A[vi])"),
              HasSubstr("\"my_function\""));
  EXPECT_THAT(refused("float32", "float32", "T.call_extern(\"float32\", \"expf\", A[vi], B[vi])"),
              HasSubstr("the function takes 1"));
  EXPECT_THAT(refused("float32", "float32", "T.call_intrin(\"float32\", \"tir.no_such\", A[vi])"),
              HasSubstr("T.no_such"));
  EXPECT_THAT(refused("int32", "int32", "T.Cast(\"int32\", T.popcount(T.Cast(\"int4\", A[vi])))"), HasSubstr("int4"));
}

TEST(Operations, OfLessThanAByteAreInt32WithWhatTheTypeHolds) {
  EXPECT_EQ(text("int32", "int32", "T.Cast(\"int32\", T.Cast(\"uint4\", A[vi]))"), "(A[tx] & 15)");
  EXPECT_EQ(text("int32", "int32", "T.Cast(\"int32\", T.Cast(\"int4\", A[vi]))"), "((A[tx] & 15) ^ 8) - 8");
}

TEST(Operations, OfFunctionsOutsideOfTvmAreCudasOwn) {
  EXPECT_EQ(text("float32", "float32", "T.call_pure_extern(\"float32\", \"__expf\", A[vi])"), "__expf(A[tx])");
  EXPECT_EQ(text("float16", "float32", "T.call_extern(\"float32\", \"fmaxf\", A[vi], B[vi])"),
            "fmaxf(float(A[tx]), float(B[tx]))");
}

}  // namespace
}  // namespace loom::codegen::operation_test
