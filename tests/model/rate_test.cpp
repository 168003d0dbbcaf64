#include "core/model/rate.h"

#include <gtest/gtest.h>

#include "tests/model/programs.h"

namespace loom::model {
namespace {

TEST(Rate, AMeasuredFigureStandsBeforeTheStatedOne) {
  const Device d = deviceNamed("h200");
  const auto memory = rateOf(d, Quantity::MemoryGbPerS);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->value, 4300);
  EXPECT_TRUE(memory->measured);
  EXPECT_EQ(memory->other, "4800: NVIDIA H200 datasheet");
  EXPECT_TRUE(rateOf(d, Quantity::L2GbPerS)->measured) << "by others";
  EXPECT_FALSE(rateOf(d, Quantity::WgmmaF16F32Tflops)->measured);
  EXPECT_FALSE(sharedRateOf(d)->measured);
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

}  // namespace
}  // namespace loom::model
