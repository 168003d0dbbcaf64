#include <gtest/gtest.h>

#include "app/panels/playback/bars.h"

namespace loom::window::playback_clocks_panel_test {
namespace {

TEST(Clocks, ManyAreSaidShortAndFewInFull) {
  using panels::playback::clocksText;
  EXPECT_EQ(clocksText(0), "0");
  EXPECT_EQ(clocksText(4), "4.0");
  EXPECT_EQ(clocksText(231.4), "231");
  EXPECT_EQ(clocksText(66843), "66\u2009843");
  EXPECT_EQ(clocksText(1252138), "1.25 M");
}

}  // namespace
}  // namespace loom::window::playback_clocks_panel_test
