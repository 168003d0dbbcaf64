#include "app/notation/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loom::notation {
namespace {

// clang-format off
constexpr std::array<PaletteEntry, 28> kPalette = {{
  {Tone::kBlock,         "block",    "blockIdx",             "bx", 0xa9d3ff, 0x1f83ff, 0xa9d3ff},
  {Tone::kThreadX,       "tx",       "threadIdx.x",          "tx", 0xcc7a1c, 0x995f00, 0xff9d33},
  {Tone::kThreadY,       "ty",       "threadIdx.y",          "ty", 0xc02aa4, 0x742573, 0xff6ce4},
  {Tone::kThreadZ,       "tz",       "threadIdx.z",          "tz", 0xa8503f, 0x521220, 0xff8f78},
  {Tone::kVirtualThread, "vt",       "vthread",              "vt", 0xae8cfb, 0x6f30c4, 0xc9b0ff},
  {Tone::kVectorized,    "vec",      "vectorized",           "ve", 0x63cfa9, 0x0798b5, 0x5ff0c0},
  {Tone::kUnrolled,      "unr",      "unrolled",             "un", 0x8df985, 0x2a9c50, 0x9dff95},
  {Tone::kSerial,        "ser",      "serial",               "s",  0x87929c, 0x666a7c, 0xc3ccd6},
  {Tone::kReduction,     "red",      "reduction",            "Σ",  0xe6b800, 0x6b4a00, 0xffd21f},
  {Tone::kGlobal,        "global",   "global",               "G",  0x5f6bb5, 0x8688f0, 0x98a6ff},
  {Tone::kL2,            "l2",       "L2 cache",             "L2", 0x5f95f0, 0x3d90b4, 0x7fb4ff},
  {Tone::kShared,        "shared",   "shared",               "S",  0x5fc3b8, 0x06707a, 0x5fe6d8},
  {Tone::kFragment,      "frag",     "fragment, register",   "R",  0xa4dd38, 0x3d5a06, 0xb8f53f},
  {Tone::kTensorCore,    "tc",       "tensor core",          "TC", 0xfff6b0, 0x2b2410, 0xfff6b0},
  {Tone::kChanged,       "changed",  "changed by this step", "+",  0x4fd0f5, 0x1f6fa8, 0x4fd9ff},
  {Tone::kError,         "error",    "error",                "✕",  0xf25f62, 0xa30d12, 0xff7b7d},
  {Tone::kWarning,       "warning",  "warning",              "!",  0xffae1a, 0xb85400, 0xffb733},
  {Tone::kOk,            "ok",       "verified",             "✓",  0xa5dc8f, 0x167f3e, 0xa9f08d},
  {Tone::kGhost,         "ghost",    "preview, not applied", "…",  0xa6aebb, 0x5c6470, 0xc8ced8},
  {Tone::kSelected,      "selected", "selected",             "▢",  0xffffff, 0x0b0d10, 0xffffff},
  {Tone::kWindow,        "bg0",      "window, gaps",         "",   0x121418, 0xd9dde3, 0x3a4048},
  {Tone::kPanel,         "bg1",      "panel",                "",   0x1a1d23, 0xfbfcfd, 0x000000},
  {Tone::kStrip,         "bg2",      "title strip, row",     "",   0x22262e, 0xeef1f4, 0x14171c},
  {Tone::kHovered,       "bg3",      "hovered, pressed",     "",   0x2f3540, 0xdde3ea, 0x39414d},
  {Tone::kLine,          "line",     "separators, grid",     "",   0x363d48, 0xc6ccd5, 0x8d97a5},
  {Tone::kTextFaint,     "txt3",     "line numbers, units",  "",   0x89919e, 0x666e7a, 0xc3cad4},
  {Tone::kTextSecond,    "txt2",     "secondary text",       "",   0xb4bbc6, 0x464e5a, 0xdfe4ea},
  {Tone::kText,          "txt",      "text",                 "",   0xe8eaee, 0x15181d, 0xffffff},
}};
// clang-format on

constexpr bool inOrder() {
  for (std::size_t i = 0; i < kPalette.size(); ++i) {
    if (static_cast<std::size_t>(kPalette[i].tone) != i) {
      return false;
    }
  }
  return true;
}
static_assert(inOrder() && static_cast<std::size_t>(Tone::kText) + 1 == kPalette.size());

constexpr std::array<const char*, 3> kThemes = {"dark", "light", "contrast"};

double luminance(std::uint32_t rgb) {
  auto linear = [&](int shift) {
    const double c = (rgb >> shift & 0xff) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

}  // namespace

const char* keyOf(Theme theme) { return kThemes[static_cast<std::size_t>(theme)]; }

Theme themeOf(std::string_view key) {
  const auto at = std::find(kThemes.begin(), kThemes.end(), key);
  return at == kThemes.end() ? Theme::kDark : static_cast<Theme>(at - kThemes.begin());
}

std::span<const PaletteEntry> palette() { return kPalette; }

const PaletteEntry& entryOf(Tone tone) { return kPalette[static_cast<std::size_t>(tone)]; }

std::uint32_t rgb(Tone tone, Theme theme) {
  const PaletteEntry& entry = entryOf(tone);
  switch (theme) {
    case Theme::kDark: return entry.dark;
    case Theme::kLight: return entry.light;
    case Theme::kContrast: break;
  }
  return entry.contrast;
}

double contrastRatio(std::uint32_t a, std::uint32_t b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace loom::notation
