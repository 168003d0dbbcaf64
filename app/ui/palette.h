#pragma once

#include "app/notation/palette.h"

/// The palette as the window's code names it.
namespace loom::window {

using notation::entryOf;
using notation::palette;
using notation::PaletteEntry;
using notation::rgb;
using notation::Theme;
using notation::Tone;

}  // namespace loom::window
