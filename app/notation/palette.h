#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace loom::notation {

/// The themes of the window and of pictures. kContrast is light on black, with lines and hues that stand out more.
enum class Theme { kDark, kLight, kContrast };

/// The meanings that colours of the palette have, which `PaletteEntry::meaning` says in words. Those of hardware
/// axes, kinds of loops, memory levels and states of things (changed, error, …) come first; from kWindow on they are
/// greys of surfaces, lines and texts.
enum class Tone {
  kBlock,
  kThreadX,
  kThreadY,
  kThreadZ,
  kVirtualThread,  ///< TVM's vthread: a loop that is bound to threads but executed in turn by each of them
  kVectorized,
  kUnrolled,
  kSerial,  ///< a loop whose iterations one thread executes in turn
  kReduction,
  kGlobal,
  kL2,
  kShared,
  kFragment,  ///< registers, and tiles in registers
  kTensorCore,
  kChanged,  ///< what the last step changed
  kError,
  kWarning,
  kOk,     ///< a result that was verified
  kGhost,  ///< a previewed step, which isn't applied
  kSelected,
  kWindow,  ///< the window and gaps between panels
  kPanel,
  kStrip,    ///< title strips, buttons and rows
  kHovered,  ///< what the mouse is over or presses
  kLine,     ///< separators and grids
  kTextFaint,
  kTextSecond,
  kText,
};

/// A colour of the palette, with what it means and its values in the three themes.
struct PaletteEntry {
  Tone tone;
  const char* key;      ///< stable name, which saved files and the CSS classes of SVG pictures use
  const char* meaning;  ///< English, for documentation; shown words come from app/text
  const char* letter;   ///< characters (1 or 2) that stand beside the colour wherever it is shown; "" from kWindow on
  std::uint32_t dark;   ///< the colour in Theme::kDark, as 0xRRGGBB
  std::uint32_t light;  ///< the colour in Theme::kLight, as 0xRRGGBB
  std::uint32_t contrast;  ///< the colour in Theme::kContrast, as 0xRRGGBB
};

/// Returns the name of a theme in saved files: "dark", "light" or "contrast".
const char* keyOf(Theme theme);
/// Returns the theme with a name of `keyOf`; kDark for an unknown name.
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
