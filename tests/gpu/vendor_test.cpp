// What the vendor's library is asked for, and what it has no product of: without a GPU.
#include "core/gpu/vendor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/precision.h"
#include "core/gpu/data.h"
#include "core/gpu/result_database.h"

namespace loom::gpu::vendor_test {
namespace {

using ir::DType;
using testing::HasSubstr;

Matmul product(DType factors, DType sums, bool bTransposed = true) {
  Matmul m;
  m.m = m.n = m.k = 4096;
  m.bTransposed = bTransposed;
  m.input = factors;
  m.output = m.accumulator = sums;
  return m;
}
constexpr DType kE4M3{DType::Code::E4M3, 8, 1}, kE5M2{DType::Code::E5M2, 8, 1};

TEST(VendorProduct, OfEightBitFloatsIsThatOfRowsAlongK) {
  EXPECT_TRUE(whyNoVendorProduct(product(kE4M3, DType::Float(32))).empty());
  EXPECT_THAT(whyNoVendorProduct(product(kE4M3, DType::Float(32), false)).english(), HasSubstr("[m, k] and [n, k]"));
  EXPECT_THAT(whyNoVendorProduct(product(kE5M2, DType::Float(32))).english(), HasSubstr("must be float8_e4m3fn"));
  EXPECT_THAT(whyNoVendorProduct(product(DType::UInt(8), DType::Int(32))).english(), HasSubstr("no product uint8"));
  EXPECT_EQ(vendorMode(product(kE4M3, DType::Float(32))), ", CUBLASLT_MATMUL_DESC_FAST_ACCUM");
}

TEST(VendorProduct, OfTf32IsAskedForAsSuchAndIsAnotherOne) {
  const Matmul exact = product(DType::Float(32), DType::Float(32));
  Matmul tf32 = exact;
  tf32.factorDigits = device::kTf32Digits;
  EXPECT_EQ(vendorMode(exact), "");
  EXPECT_EQ(vendorMode(tf32), ", CUBLAS_COMPUTE_32F_FAST_TF32");
  EXPECT_NE(workloadKey(exact), workloadKey(tf32));
}

// Of K random products the sum is as far off as chance makes it, and never further than all of them together.
TEST(Tolerance, OfTf32GoesWithTheRootOfK) {
  Matmul m = product(DType::Float(32), DType::Float(32));
  EXPECT_EQ(tolerance(m), 1e-5);
  m.factorDigits = device::kTf32Digits;
  EXPECT_NEAR(tolerance(m), 3.26e-4 + 1e-5, 1e-6);
  m.k = 1024;
  EXPECT_NEAR(tolerance(m), 6.51e-4 + 1e-5, 1e-6);
  m.k = 8;
  EXPECT_NEAR(tolerance(m), 0x1p-9 + 0x1p-20 + 1e-5, 1e-9);
}

TEST(Tolerance, OfEightBitFloatsGrowsBeyondTheKThatItWasSeenAt) {
  Matmul m = product(kE4M3, DType::Float(32));
  EXPECT_EQ(tolerance(m), 1e-3);
  m.k = 16384;
  EXPECT_DOUBLE_EQ(tolerance(m), 2e-3);
  EXPECT_EQ(tolerance(product(DType::Int(8), DType::Int(32))), 0);
  // Sums of squares have terms of one sign, of which tensor cores cut off something every 16.
  Matmul gram = product(DType::Float(16), DType::Float(32));
  const double ofTwo = tolerance(gram);
  gram.b = gram.a;
  gram.aTransposed = gram.bTransposed = false;  // X · X has none
  EXPECT_EQ(tolerance(gram), ofTwo);
  gram.bTransposed = true;
  EXPECT_DOUBLE_EQ(tolerance(gram), ofTwo + double(gram.k) / 16 * 0x1p-23);
  gram.accumulator = DType::Float(16);  // so much is cut off there that nothing could be compared any more
  EXPECT_EQ(tolerance(gram), 5e-3);
}

}  // namespace
}  // namespace loom::gpu::vendor_test
