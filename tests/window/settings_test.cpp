#include "app/window/settings.h"

#include <gtest/gtest.h>

#include "app/window/frame_times.h"
#include "app/window/layouts.h"

namespace loom::window::settings_test {
namespace {

TEST(SettingsText, ComesBackAsItWas) {
  Settings settings{Theme::kLight, 150, text::Language::kChinese, true, false, "pictures", {"cuda", "sass"}, true};
  EXPECT_EQ(parseSettings(format(settings)), settings);
}

TEST(SettingsText, HasEveryTheme) {
  for (Theme theme : {Theme::kDark, Theme::kLight, Theme::kContrast}) {
    EXPECT_EQ(parseSettings(format(Settings{theme, 100, {}, false})).theme, theme);
  }
}

TEST(SettingsText, DamagedOrForeignKeepsDefaults) {
  EXPECT_EQ(parseSettings(""), Settings{});
  EXPECT_EQ(parseSettings("{\"scale\": "), Settings{});
  EXPECT_EQ(parseSettings("[1, 2]"), Settings{});
  EXPECT_EQ(parseSettings(
                "{\"scale\": 100000, \"theme\": 7, \"language\": [], \"reducedMotion\": \"yes\", \"searchFaster\": 0}"),
            Settings{});
  EXPECT_EQ(parseSettings("{\"scale\": 99999999999999999999}"), Settings{});
}

TEST(LayoutNames, ThatCouldLeaveTheFolderAreRefused) {
  EXPECT_TRUE(Layouts::validName("two columns"));
  EXPECT_TRUE(Layouts::validName("我的布局"));
  EXPECT_FALSE(Layouts::validName(""));
  EXPECT_FALSE(Layouts::validName("../settings"));
  EXPECT_FALSE(Layouts::validName("a/b"));
  EXPECT_FALSE(Layouts::validName(".hidden"));
  EXPECT_FALSE(Layouts::validName(std::string(65, 'a')));
}

TEST(FrameTimes, PercentileIsOfTheFramesSeen) {
  FrameTimes times;
  EXPECT_EQ(times.percentile(0.99), 0);
  for (int i = 100; i >= 1; --i) {
    times.add(i);
  }
  EXPECT_EQ(times.percentile(0.5), 50);
  EXPECT_EQ(times.percentile(0.99), 99);
  EXPECT_EQ(times.percentile(1), 100);
}

}  // namespace
}  // namespace loom::window::settings_test
