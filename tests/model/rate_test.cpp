#include "core/model/rate.h"

#include <gtest/gtest.h>

#include <set>

#include "core/device/operations/families.h"
#include "core/model/product_rate.h"
#include "tests/model/programs.h"

namespace loom::model::rate_test {
namespace {

TEST(Rate, AMeasuredFigureStandsBeforeTheStatedOne) {
  const Device d = deviceNamed("h200");
  const auto memory = rateOf(d, Quantity::MemoryGbPerS);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->value, 4300);
  EXPECT_TRUE(memory->measured);
  EXPECT_EQ(memory->other, "4800 GB/s: NVIDIA H200 datasheet");
  EXPECT_TRUE(rateOf(d, Quantity::L2GbPerS)->measured) << "by others";
  EXPECT_FALSE(rateOf(d, Quantity::WgmmaF16F32Tflops)->measured);
  EXPECT_TRUE(sharedRateOf(d)->measured);
}

// Every product that an operation's row has is rated by its elements, each kind by a figure of its own but 8-bit
// floats, which become f16.
TEST(Rate, OfProductsIsThatOfTheirElements) {
  using device::ProductKind;
  int rows = 0;
  for (const device::OperationFamily* family : device::operationFamilies()) {
    for (const device::OperationRow& row : family->rows) {
      for (const device::ProductTypes& types : row.products) {
        const bool integers = types.factors.isIntegral(), words = types.factors.bits == 32;
        const bool eighths = types.factors.isFloat() && types.factors.bits == 8;
        const bool brain = types.factors == ir::DType::BFloat(16);
        const int bits = types.factors.bits;
        const ProductKind ofIntegers = bits == 4   ? ProductKind::S4S32
                                       : bits == 1 ? ProductKind::B1S32
                                                   : ProductKind::S8S32;
        const ProductKind kind = integers                               ? ofIntegers
                                 : words                                ? ProductKind::Tf32F32
                                 : eighths                              ? ProductKind::F8F32
                                 : brain                                ? ProductKind::Bf16F32
                                 : types.result == ir::DType::Float(16) ? ProductKind::F16F16
                                                                        : ProductKind::F16F32;
        EXPECT_EQ(types.kind, kind) << row.name;
        ASSERT_LT(std::size_t(types.kind), device::kProductKinds) << "a row of core/model/product_rate.cpp";
        ++rows;
      }
    }
  }
  EXPECT_GE(rows, 6);
  std::set<Quantity> peaks, most;
  std::set<std::string> names;
  for (ProductKind kind :
       {ProductKind::Tf32F32, ProductKind::Bf16F32, ProductKind::F16F32, ProductKind::F16F16, ProductKind::S8S32}) {
    const ProductRate rate = rateOfProducts(kind);
    EXPECT_TRUE(peaks.insert(rate.peak).second && most.insert(rate.atMost).second && names.insert(rate.name).second);
  }
  EXPECT_EQ(rateOfProducts(ProductKind::F8F32).peak, rateOfProducts(ProductKind::F16F32).peak);
  EXPECT_STREQ(rateOfWarpgroups(ProductKind::F16F16).name, "wgmma f16→f16");
  const Device h200 = deviceNamed("h200");
  for (std::size_t i = 0; i < device::kProductKinds; ++i) {
    const auto kind = ProductKind(i);
    SCOPED_TRACE(rateOfWarpgroups(kind).name);
    // The peaks of a clock and of a second are of one device: 132 multiprocessors at 1830 MHz.
    if (kind == ProductKind::S4S32 || kind == ProductKind::B1S32) continue;  // warpgroups have none
    EXPECT_NEAR(*h200.value(rateOfWarpgroups(kind).peak), flopPerClock(kind) * 132 * 1830e6 / 1e12, 2);
  }
  for (ProductKind kind : {ProductKind::S4S32, ProductKind::B1S32}) {
    const ProductRate rate = rateOfProducts(kind);
    EXPECT_TRUE(peaks.insert(rate.peak).second && names.insert(rate.name).second);
    EXPECT_EQ(rate.instead, Quantity::MmaS8Tops) << "for devices of which nobody says it";
  }
}

// NVIDIA's figures of dense products: twice and eight times those of 8 bits. What is assumed says so.
TEST(Rate, OfElementsOfLessThanAByte) {
  for (const char* name : {"t4", "a100_40", "a100_80", "rtx_3080"}) {
    SCOPED_TRACE(name);
    const Device d = deviceNamed(name);
    const double bytes = d.need(Quantity::MmaS8Tops).value();
    EXPECT_EQ(d.need(Quantity::MmaS4Tops).value(), 2 * bytes);
    EXPECT_EQ(d.need(Quantity::MmaB1Tops).value(), 8 * bytes);
    EXPECT_EQ(warpPeak(d, 8), bytes);
    EXPECT_EQ(warpPeak(d, 4), 2 * bytes);
    EXPECT_EQ(warpPeak(d, 1), 8 * bytes);
    EXPECT_EQ(warpPeak(d, 16), d.value(Quantity::MmaF16F32Tflops));
    EXPECT_EQ(executedAs(device::ProductKind::S4S32, d), device::ProductKind::S4S32);
    const bool stated = d.major == 8 && d.minor == 0;
    EXPECT_EQ(d.find(Quantity::MmaB1Tops)->source.rfind("assumed: ", 0) == 0, !stated);
  }
  Device hopper = deviceNamed("h200");
  EXPECT_FALSE(hopper.value(Quantity::MmaS4Tops)) << "nobody has said";
  const double bytes = hopper.need(Quantity::MmaS8Tops).value();
  EXPECT_NEAR(hopper.need(Quantity::MmaB1Tops).value(), 8 * bytes, 0.01 * 8 * bytes) << "measured";
  EXPECT_EQ(executedAs(device::ProductKind::S4S32, hopper), device::ProductKind::S8S32);
  EXPECT_EQ(executedAs(device::ProductKind::B1S32, hopper), device::ProductKind::B1S32);
  EXPECT_EQ(warpPeak(hopper, 4), bytes);
  EXPECT_EQ(warpPeak(hopper, 1), hopper.value(Quantity::MmaB1Tops));
  hopper.figures.erase(Quantity::MmaB1Tops);
  EXPECT_EQ(warpPeak(hopper, 1), bytes) << "where nobody has said";
}

TEST(Rate, WhereNobodyMeasuredItIsTheStatedOne) {
  const Device d = deviceNamed("t4");
  const auto memory = rateOf(d, Quantity::MemoryGbPerS);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->value, 320);
  EXPECT_FALSE(memory->measured);
  EXPECT_EQ(memory->other, "");
  EXPECT_FALSE(rateOf(d, Quantity::L2GbPerS)) << "nobody has said";
  EXPECT_FALSE(sharedRateOf(Device{}));
}

TEST(Rate, OfSharedMemoryIsBytesAClockUntilItIsMeasured) {
  Device d = deviceNamed("rtx_3080");
  const auto stated = sharedRateOf(d);
  ASSERT_TRUE(stated);
  EXPECT_FALSE(stated->measured);
  EXPECT_NEAR(stated->value, 128 * 68 * 1.71, 1);
  d.figures[Quantity::SharedGbPerSMeasured] = {14500, "measured by a test"};
  const auto measured = sharedRateOf(d);
  EXPECT_TRUE(measured->measured);
  EXPECT_EQ(measured->value, 14500);
  EXPECT_NE(measured->other.find("14884 GB/s: 128 bytes a clock"), std::string::npos) << measured->other;
}

}  // namespace
}  // namespace loom::model::rate_test
