#include "app/ui/palette.h"

#include <gtest/gtest.h>

#include "app/notation/palette.h"

namespace loom::window::palette_test {
namespace {

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

TEST(Palette, AxesAndScopesHaveALetterAndGreysNone) {
  for (const PaletteEntry& entry : palette()) {
    EXPECT_EQ(*entry.letter == 0, entry.tone >= Tone::kWindow) << entry.key;
  }
}

}  // namespace
}  // namespace loom::window::palette_test
