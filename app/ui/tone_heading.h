#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/look.h"
#include "core/device/program.h"

/// Headings with the letter of a colour before them: the key that every picture shares with the code.
namespace loom::panels {

/// Returns the colour of a memory.
window::Tone toneOf(device::Memory memory);
/// Draws a chip of a colour with its letter, in the form that goes with it: round for threads, outlined for serial
/// loops and reductions. The letter is in the code font.
void drawToneChip(const window::Look& look, ImVec2 from, ImVec2 to, window::Tone tone);
/// Draws the letter of a tone in its colour; what is drawn next stands beside it.
void drawToneLetter(const window::Look& look, window::Tone tone);
/// Draws a heading behind a mark in the colour of what is drawn below it. This is no axis of a loop, so the mark has no
/// letter.
void drawMarkedHeading(const window::Look& look, window::Tone tone, const std::string& text);
/// Draws a heading behind the tone's chip with its letter.
void drawHeading(const window::Look& look, window::Tone tone, const std::string& text);

}  // namespace loom::panels
