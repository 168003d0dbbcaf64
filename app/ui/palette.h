#pragma once

#include "app/notation/palette.h"

// Under the window's namespace, from app/notation/palette.h: the tones, meanings that a colour can have such as "shared
// memory" or "error"; the themes dark, light and contrast; `palette`, the entries of all tones; `entryOf`, the entry of
// one tone; and `rgb`, the colour 0xRRGGBB of a tone in a theme.
namespace loom::window {

using notation::entryOf;
using notation::palette;
using notation::PaletteEntry;
using notation::rgb;
using notation::Theme;
using notation::Tone;

}  // namespace loom::window
