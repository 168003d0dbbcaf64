// How far a result may be from the reference's: as the dtypes and the lengths of sums say, and no further.
#include <gmock/gmock.h>

#include "core/exec/uncertain.h"
#include "tests/exec/scheduled.h"

namespace loom::exec::uncertain_test {
namespace {

Uncertain number(double value, double error = 0) {
  Uncertain u;
  u.value.f = value;
  u.error = error;
  return u;
}

TEST(Uncertain, GrowsByOperations) {
  EXPECT_EQ(applyUncertain(Op::AddF, number(3, 0.5), number(-3, 0.25), 0).error, 0.75);
  EXPECT_EQ(applyUncertain(Op::MulF, number(-2, 0.5), number(4, 0.25), 0).error, 2 * 0.25 + 4 * 0.5 + 0.5 * 0.25);
  EXPECT_EQ(applyUncertain(Op::MulF, number(-2), number(4), 0).error, 0);
  EXPECT_EQ(applyUncertain(Op::DivF, number(1), number(4, 1), 0).error, 1.0 / 3 - 1.0 / 4);
  EXPECT_EQ(applyUncertain(Op::MaxF, number(1, 0.5), number(8, 0.25), 0).error, 0.25);
  EXPECT_EQ(applyUncertain(Op::Copy, number(1, 0.5), {}, 0).error, 0.5);
}

// A number beside the middle between two of the dtype may become either.
TEST(Uncertain, GrowsToADigitOfANarrowDtype) {
  const auto half = std::int64_t(FloatFormat::Float16);
  EXPECT_EQ(applyUncertain(Op::RoundTo, number(2049, 1e-12), {}, half).error, 2) << "2048 or 2050";
  EXPECT_EQ(applyUncertain(Op::RoundTo, number(2048.5, 1e-12), {}, half).error, 0);
}

TEST(Uncertain, IsNothingOfFactorsThatKeepAllDigits) {
  EXPECT_EQ(cutFactor(number(2047)).error, 0);
  EXPECT_EQ(cutFactor(number(2049)).error, 1) << "to 2048, or to 2050";
  EXPECT_NEAR(cutFactor(number(1 + 0x1p-10 - 0x1p-20)).error, 0x1p-10, 0x1p-19);
}

TEST(Uncertain, OfProductsOfSmallIntegersIsLessThanOne) {
  Reference r = Reference::create(parse(matmul(32, 32, 512)), 1).value();
  for (int digits : {0, 10}) EXPECT_LT(r.uncertainty(2, 5, digits), 1e-9) << digits;
}

struct Factors {
  const char *dtype, *name;
  int depth;
};
constexpr Factors kTf32{"float32", "tf32", 8}, kHalf{"float16", "f16", 16}, kBrain{"bfloat16", "bf16", 16};

std::string reals(const Factors& f, int k, int leftOut = -1) {
  return tests::programText("product_of_reals",
                            {{"M", 32}, {"N", 32}, {"K", k}, {"TYPE", f.dtype}, {"LEFT_OUT", leftOut}});
}
std::string lines(const Factors& f) {
  const std::string tile = "16x16x" + std::to_string(f.depth), factor = f.name;
  return tests::scheduleText("tensor_core_product_of_reals",
                             {{"DEPTH", f.depth},
                              {"FILL", "wmma_fill_" + tile + "_f32"},
                              {"FIRST", "wmma_load_" + tile + "_" + factor + "_a_shared"},
                              {"SECOND", "wmma_load_" + tile + "_" + factor + "_b_shared"},
                              {"PRODUCT", "wmma_sync_" + tile + "_" + factor + factor + "f32"},
                              {"STORE", "wmma_store_" + tile + "_f32_global"}});
}

TEST(Uncertain, OfRealsFollowsFromTypeAndSum) {
  for (int k : {32, 256}) {
    Reference r = Reference::create(parse(reals(kTf32, k)), 1).value();
    // Of k terms of 0.4 on average, each off by up to 2 · 2^-10 of itself, and by a third of that on average.
    EXPECT_GT(r.uncertainty(2, 7, 10), 0.0001 * k);
    EXPECT_LT(r.uncertainty(2, 7, 10), 0.0008 * k);
    EXPECT_LT(r.uncertainty(2, 7, 0), 4e-16 * k * k);
  }
}

TEST(Uncertain, LetsProductsOfRealsBeRight) {
  for (const Factors& f : {kTf32, kHalf, kBrain}) {
    for (int k : {32, 256}) {
      SCOPED_TRACE(std::string(f.name) + " " + std::to_string(k));
      const auto report = check(parse(reals(f, k)), scheduled(reals(f, k), lines(f)));
      ASSERT_TRUE(report) << report.error().message.english();
      EXPECT_EQ(report->status, Report::Status::Verified) << describe(*report).english();
    }
  }
}

// Of a sum one term is missing.
TEST(Uncertain, DoesntHideATerm) {
  for (const Factors& f : {kTf32, kHalf, kBrain}) {
    for (int k : {32, 256}) {
      SCOPED_TRACE(std::string(f.name) + " " + std::to_string(k));
      const auto report = check(parse(reals(f, k)), scheduled(reals(f, k, 9), lines(f)));
      ASSERT_TRUE(report) << report.error().message.english();
      EXPECT_EQ(report->status, Report::Status::Wrong) << describe(*report).english();
    }
  }
}

}  // namespace
}  // namespace loom::exec::uncertain_test
