#include "app/notation/quantity_text.h"

#include <gtest/gtest.h>

namespace loom::notation::quantity_text_test {
namespace {

// The unit and the places are those of the number as it is written: what is rounded up to the next is the next.
TEST(QuantityText, WhatIsRoundedUpToTheNextUnitHasIt) {
  EXPECT_EQ(countText(99999.4), "99\u2009999");
  EXPECT_EQ(countText(99999.6), "100 k");
  EXPECT_EQ(countText(999400), "999 k");
  EXPECT_EQ(countText(999600), "1 M");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(1023.4), "1023 B");
  EXPECT_EQ(bytesText(1023.6), "1 KiB");
  EXPECT_EQ(bytesText(1023.6 * 1024), "1 MiB");
  EXPECT_EQ(bytesText(1023.4 * 1024), "1023 KiB");
  EXPECT_EQ(flopsText(999.6e9), "1 TFLOP");
  EXPECT_EQ(flopsText(999.4e9), "999 GFLOP");
  EXPECT_EQ(flopsText(9.996e9), "10 GFLOP");
  EXPECT_EQ(flopsText(999.6e15), "1000 PFLOP") << "there is no unit above it";
  EXPECT_EQ(axisText(999600), "1 M");
}

TEST(QuantityText, ARatioHasNoMoreDigitsForBeingRoundedUp) {
  EXPECT_EQ(ratioText(0.05), "0.05");
  EXPECT_EQ(ratioText(9.994), "9.99");
  EXPECT_EQ(ratioText(9.996), "10.0");
  EXPECT_EQ(ratioText(99.94), "99.9");
  EXPECT_EQ(ratioText(99.96), "100");
  EXPECT_EQ(ratioText(1250), "1250");
}

TEST(QuantityText, AShareHasNoMoreDigitsForBeingRoundedUp) {
  EXPECT_EQ(shareText(0), "<0.001 %");
  EXPECT_EQ(shareText(0.00004), "0.004 %");
  EXPECT_EQ(shareText(0.000996), "0.10 %");
  EXPECT_EQ(shareText(0.00996), "1.0 %");
  EXPECT_EQ(shareText(0.0994), "9.9 %");
  EXPECT_EQ(shareText(0.0996), "10 %");
  EXPECT_EQ(shareText(1), "100 %");
}

}  // namespace
}  // namespace loom::notation::quantity_text_test
