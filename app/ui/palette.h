#pragma once

#include "app/notation/palette.h"

// Under the window's namespace, from app/notation/palette.h: Tone, the meanings that a colour can have such as "shared
// memory" or "error"; Theme, which is kDark, kLight or kContrast; PaletteEntry, a tone's key, meaning, letter and
// colour in each theme; `palette()`, a span with the entries of all tones; `entryOf(tone)`, the entry of one tone; and
// `rgb(tone, theme)`, the colour as a number 0xRRGGBB.
namespace loom::window {

using notation::entryOf;
using notation::palette;
using notation::PaletteEntry;
using notation::rgb;
using notation::Theme;
using notation::Tone;

}  // namespace loom::window
