#include "core/model/duration_text.h"

#include <gtest/gtest.h>

namespace loom::model::duration_text_test {
namespace {

TEST(DurationText, IsInTheUnitThatASentenceNeeds) {
  EXPECT_EQ(durationText(0), "0.0 µs");
  EXPECT_EQ(durationText(16.08), "16.1 µs");
  EXPECT_EQ(durationText(999.94), "999.9 µs");
  EXPECT_EQ(durationText(999.96), "1.0 ms");
  EXPECT_EQ(durationText(3400), "3.4 ms");
  EXPECT_EQ(durationText(999'960), "1.0 s");
  EXPECT_EQ(durationText(829'800'991.1), "829.8 s");
}

}  // namespace
}  // namespace loom::model::duration_text_test
