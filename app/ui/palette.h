#pragma once

#include "app/notation/palette.h"

// The palette's types and functions (app/notation/palette.h) under the window's namespace.
namespace loom::window {

using notation::entryOf;
using notation::palette;
using notation::PaletteEntry;
using notation::rgb;
using notation::Theme;
using notation::Tone;

}  // namespace loom::window
