#include "core/model/duration_text.h"

#include <gtest/gtest.h>

namespace loom::model::duration_text_test {
namespace {

TEST(DurationText, IsInTheUnitThatASentenceNeeds) {
  EXPECT_EQ(durationText(0), "0 µs");
  EXPECT_EQ(durationText(0.0003), "0.30 ns");
  EXPECT_EQ(durationText(0.000003), "<0.01 ns");
  EXPECT_EQ(durationText(0.02), "20.0 ns");
  EXPECT_EQ(durationText(0.1874), "187 ns");
  EXPECT_EQ(durationText(0.9994), "999 ns");
  EXPECT_EQ(durationText(0.9996), "1.00 µs");
  EXPECT_EQ(durationText(5.664), "5.66 µs");
  EXPECT_EQ(durationText(9.996), "10.0 µs");
  EXPECT_EQ(durationText(16.08), "16.1 µs");
  EXPECT_EQ(durationText(999.94), "999.9 µs");
  EXPECT_EQ(durationText(999.96), "1.00 ms");
  EXPECT_EQ(durationText(11'764), "11.8 ms");
  EXPECT_EQ(durationText(146'080), "146.1 ms");
  EXPECT_EQ(durationText(999'940), "999.9 ms");
  EXPECT_EQ(durationText(999'960), "1.00 s");
  EXPECT_EQ(durationText(146'080'000), "146.1 s");
  EXPECT_EQ(durationText(829'800'991.1), "829.8 s");
  EXPECT_EQ(durationText(36e9), "36000 s");
}

}  // namespace
}  // namespace loom::model::duration_text_test
