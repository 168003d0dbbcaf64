#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace loom::notation {

/// kContrast: light on black, with lines and hues that stand out more.
enum class Theme { kDark, kLight, kContrast };

/// What a colour means. Hue belongs to hardware axes, memory scopes and states; everything else is grey. The order is
/// the palette's.
enum class Tone {
  kBlock,
  kThreadX,
  kThreadY,
  kThreadZ,
  kVirtualThread,
  kVectorized,
  kUnrolled,
  kSerial,
  kReduction,
  kGlobal,
  kL2,
  kShared,
  kFragment,
  kTensorCore,
  kChanged,
  kError,
  kWarning,
  kOk,
  kGhost,
  kSelected,
  kWindow,
  kPanel,
  kStrip,
  kHovered,
  kLine,
  kTextFaint,
  kTextSecond,
  kText,
};

/// A colour of the palette, with what it means and its values in the three themes.
struct PaletteEntry {
  Tone tone;
  const char* key;      ///< stable name, as in saved files and SVG
  const char* meaning;  ///< English, for documentation; shown words come from app/text
  const char* letter;   ///< stands beside the colour wherever it is shown; empty for greys
  std::uint32_t dark;   ///< 0xRRGGBB, as the next two
  std::uint32_t light;
  std::uint32_t contrast;
};

/// Return the name of a theme in saved files ("dark"), and the theme of a name; dark for an unknown name.
const char* keyOf(Theme theme);
Theme themeOf(std::string_view key);

/// Returns the whole palette, one entry per tone, in the order of `Tone`.
std::span<const PaletteEntry> palette();

/// Returns the entry of a tone.
const PaletteEntry& entryOf(Tone tone);

/// Returns the colour of a tone in a theme, as 0xRRGGBB.
std::uint32_t rgb(Tone tone, Theme theme);

/// Returns the contrast of two colours 0xRRGGBB (WCAG 2.2, "contrast ratio"): 1 to 21.
double contrastRatio(std::uint32_t a, std::uint32_t b);

}  // namespace loom::notation
