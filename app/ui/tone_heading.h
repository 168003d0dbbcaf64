#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/look.h"
#include "core/device/program.h"

/// Headings with the letter of a colour before them: the key that every picture shares with the code.
namespace loom::panels {

/// The colour of a place in memory.
window::Tone toneOf(device::Memory memory);
/// A chip of a colour with its letter, in the form that goes with it: round for threads, outlined for serial loops and
/// reductions. `letter` is in the code face.
void drawToneChip(const window::Look& look, ImVec2 from, ImVec2 to, window::Tone tone);
/// The letter in its colour; what comes next stands beside it.
void drawToneLetter(const window::Look& look, window::Tone tone);
/// Behind a mark of what has that colour below it: no axis of a loop, and so without its letter.
void drawMarkedHeading(const window::Look& look, window::Tone tone, const std::string& text);
/// Behind the tone's chip with its letter.
void drawHeading(const window::Look& look, window::Tone tone, const std::string& text);

}  // namespace loom::panels
