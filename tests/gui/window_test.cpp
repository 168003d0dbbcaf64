#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/notation/palette.h"
#include "app/panels/playback/bars.h"
#include "app/pictures/rendering_defects.h"
#include "app/ui/fonts.h"
#include "app/ui/markdown.h"
#include "app/ui/palette.h"
#include "app/window/background_writer.h"
#include "app/window/frame_times.h"
#include "app/window/image.h"
#include "app/window/layouts.h"
#include "app/window/settings.h"

namespace loom::window {
namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(SettingsText, ComesBackAsItWas) {
  Settings settings{Theme::kLight, 150, text::Language::kChinese, true, false, "pictures", {"cuda", "sass"}, true};
  EXPECT_EQ(parseSettings(format(settings)), settings);
}

TEST(SettingsText, HasEveryTheme) {
  for (Theme theme : {Theme::kDark, Theme::kLight, Theme::kContrast}) {
    EXPECT_EQ(parseSettings(format(Settings{theme, 100, {}, false})).theme, theme);
  }
}

double contrast(Tone a, Tone b, Theme theme) { return notation::contrastRatio(rgb(a, theme), rgb(b, theme)); }

TEST(Palette, TextIsReadableOnThePanel) {
  for (Theme theme : {Theme::kDark, Theme::kLight, Theme::kContrast}) {
    for (Tone tone : {Tone::kText, Tone::kTextSecond, Tone::kTextFaint}) {
      EXPECT_GE(contrast(tone, Tone::kPanel, theme), 4.5) << notation::keyOf(theme) << " " << entryOf(tone).key;
    }
  }
}

TEST(Palette, OfHighContrastHasSevenToOneForEveryTextAndHue) {
  for (const PaletteEntry& entry : palette()) {
    const bool isGround = entry.tone >= Tone::kWindow && entry.tone < Tone::kLine;
    if (isGround) continue;
    EXPECT_GE(contrast(entry.tone, Tone::kPanel, Theme::kContrast), 7) << entry.key;
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

TEST(Palette, AxesAndScopesHaveALetterAndGreysNone) {
  for (const PaletteEntry& entry : palette()) {
    EXPECT_EQ(*entry.letter == 0, entry.tone >= Tone::kWindow) << entry.key;
  }
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

TEST(Words, EndBeforeWhatMarksThemUpEvenAfterABracket) {
  EXPECT_EQ(panels::wordLength("（[64 个块](look:threads/grid)）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（`blockIdx.x`）", " \n`*["), std::string("（").size());
  EXPECT_EQ(panels::wordLength("（64 个", " \n`*["), std::string("（64").size());
  EXPECT_EQ(panels::wordLength("（", " "), std::string("（").size());
  EXPECT_EQ(panels::wordLength("块）。然后", " "), std::string("块）。").size());
}

TEST(Clocks, ManyAreSaidShortAndFewInFull) {
  using panels::playback::clocksText;
  EXPECT_EQ(clocksText(0), "0");
  EXPECT_EQ(clocksText(4), "4.0");
  EXPECT_EQ(clocksText(231.4), "231");
  EXPECT_EQ(clocksText(66843), "66\u2009843");
  EXPECT_EQ(clocksText(1252138), "1.25 M");
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

TEST(Picture, FlipTurnsRowsUpsideDown) {
  Image image{1, 3, {1, 1, 1, 2, 2, 2, 3, 3, 3}};
  image.flip();
  EXPECT_EQ(image.rgb, (std::vector<std::uint8_t>{3, 3, 3, 2, 2, 2, 1, 1, 1}));
}

TEST(Picture, IsEncodedAsPng) {
  const std::string png = encodePng({2, 1, {255, 0, 0, 0, 255, 0}});
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\2\0\0\0\1", 8)) << "width and height";
}

class Writer : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tileloom-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(Writer, WritesInOrderAndMakesFolders) {
  {
    BackgroundWriter writer([] {});
    writer.write(folder_ / "a" / "b.txt", std::string("old"));
    writer.write(folder_ / "a" / "b.txt", std::string("new"));
  }
  EXPECT_EQ(contents(folder_ / "a" / "b.txt"), "new");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a" / "b.txt.tmp"));
}

TEST_F(Writer, ReportsWhatCannotBeWrittenAndKeepsTheOldFile) {
  ASSERT_EQ(writeWhole(folder_ / "file", "old"), "");
  EXPECT_NE(writeWhole(folder_ / "file" / "below", "x"), "");
  EXPECT_NE(writeWhole("/proc/nowhere/file", "x"), "");
  EXPECT_EQ(contents(folder_ / "file"), "old");
}

TEST(Fonts, UnknownFamilyIsNotReplacedByAnother) {
  EXPECT_TRUE(findFont({{"No Such Family Anywhere", nullptr, nullptr}}).file.empty());
}

}  // namespace
}  // namespace loom::window
