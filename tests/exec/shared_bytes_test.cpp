// Elements that share bytes: kernels on CUDA cores and tensor cores compute what the function does by its elements.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/codegen/cuda.h"
#include "core/lower/lower.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::shared_bytes_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kProduct = "T.Cast(\"int32\", A[vi, vk]) * T.Cast(\"int32\", B[vj, vk])";
constexpr const char* kDifference = "T.Cast(\"int32\", T.bitwise_xor(A[vi, vk], B[vj, vk]))";

std::string product(const std::string& type, const std::string& term = kProduct, int k = 256) {
  return tests::programText("product_of_shared_bytes",
                            {{"M", 16}, {"N", 32}, {"K", k}, {"TYPE", type}, {"TERM", term}});
}

// Expects the kernel to compute what the function does, all of it and exactly, and returns its text.
std::string rightText(const std::string& function, const std::string& schedule) {
  Options whole;
  whole.sample = false;
  const ir::Function made = scheduled(function, schedule);
  const auto report = check(parse(function), made, whole);
  if (!report) throw std::runtime_error(report.error().message.english());
  const std::string text = codegen::generate(lower::lower(made).value()).text;
  EXPECT_EQ(report->status, Report::Status::Verified) << describe(*report).english() << text;
  EXPECT_GT(report->compared, 0);
  return text;
}

std::string byThreads(int vector) {
  return tests::scheduleText("shared_bytes_by_threads", {{"STEP", 32 * vector}, {"VECTOR", vector}});
}

TEST(SharedBytes, AThreadReadsThemByShiftAndMask) {
  for (const char* type : {"int4", "uint4", "int2", "uint2", "int1", "uint1"}) {
    SCOPED_TRACE(type);
    const std::string text = rightText(product(type), "");
    EXPECT_THAT(text, HasSubstr("const unsigned char* __restrict__ A"));
    EXPECT_THAT(text, Not(HasSubstr("long long")));
  }
  EXPECT_THAT(rightText(product("uint4"), ""), HasSubstr("(k >> 1)]) >> (k & 1) * 4) & 15"))
      << "the byte, and the element's bits in it";
}

TEST(SharedBytes, AreCopiedAsWholeBytes) {
  EXPECT_THAT(rightText(product("int4"), byThreads(4)), HasSubstr("*reinterpret_cast<unsigned short*>(&A_shared["));
  EXPECT_THAT(rightText(product("int4", kProduct, 1024), byThreads(32)), HasSubstr("*reinterpret_cast<uint4*>(&A_sh"));
  EXPECT_THAT(rightText(product("uint1"), byThreads(8)), HasSubstr("unsigned char A_shared[128]"));
  EXPECT_THAT(rightText(product("uint1", kProduct, 1024), byThreads(32)), HasSubstr("*reinterpret_cast<unsigned*>(&A"));
}

TEST(SharedBytes, HaveAByteEachInRegisters) {
  const std::string text = rightText(product("int4"),
                                     "a = sch.cache_read(sch.get_block(\"C\"), 0, \"local\")\n"
                                     "sch.compute_at(a, sch.get_loops(sch.get_block(\"C\"))[0])\n");
  EXPECT_THAT(text, HasSubstr("signed char A_local[256]"));
}

struct Tile {
  std::string type, name, term = kProduct, multiply = {};
  int k = 32;
};

TEST(SharedBytes, TensorCoresMultiplyThemExactly) {
  for (const Tile& t : {Tile{"int4", "s4"}, Tile{"uint4", "u4"}, Tile{"uint1", "b1", kProduct, {}, 128},
                        Tile{"int1", "s1", kProduct, {}, 128},
                        Tile{"uint1", "b1", kDifference, "wmma_xor_8x8x128_b1b1s32_trans", 128}}) {
    SCOPED_TRACE(t.type + " " + t.term);
    const std::string shape = fmt::format("8x8x{}", t.k), load = fmt::format("wmma_load_{}_{}", shape, t.name);
    const std::string text =
        rightText(product(t.type, t.term),
                  tests::scheduleText(
                      "tiles_of_shared_bytes",
                      {{"K", t.k},
                       {"VECTOR", t.k / 4},
                       {"FILL", fmt::format("wmma_fill_{}_s32", shape)},
                       {"LOAD_A", load + "_a_shared"},
                       {"LOAD_B", load + "_b_trans_shared"},
                       {"MULTIPLY",
                        t.multiply.empty() ? fmt::format("wmma_sync_{0}_{1}{1}s32_trans", shape, t.name) : t.multiply},
                       {"STORE", fmt::format("wmma_store_{}_s32_global", shape)}}));
    EXPECT_THAT(text, HasSubstr(fmt::format("wmma::matrix_a, 8, 8, {}, wmma::experimental::precision::", t.k)));
    EXPECT_THAT(text, HasSubstr(t.k == 32               ? "wmma::mma_sync("
                                : t.term == kDifference ? "wmma::experimental::bmmaBitOpXOR"
                                                        : "wmma::experimental::bmmaBitOpAND"));
  }
}

TEST(SharedBytes, ThatATileMissesAreFound) {
  const std::string schedule = byThreads(4);
  std::string wrong = product("int4", "T.Cast(\"int32\", A[vi, vk]) * T.Cast(\"int32\", B[vj, 255 - vk])");
  const auto report = check(parse(product("int4")), scheduled(wrong, schedule), {});
  ASSERT_TRUE(report) << report.error().message.english();
  EXPECT_NE(report->status, Report::Status::Verified);
}

}  // namespace
}  // namespace loom::exec::shared_bytes_test
