#pragma once

#include <string>

#include "app/window/look.h"
#include "core/lower/device.h"

/// Headings with the letter of a colour before them: the key that every picture shares with the code.
namespace loom::panels {

/// The colour of a place in memory.
window::Tone toneOf(device::Memory memory);
/// The letter in its colour; what comes next stands beside it.
void drawToneLetter(const window::Look& look, window::Tone tone);
void drawHeading(const window::Look& look, window::Tone tone, const std::string& text);

}  // namespace loom::panels
