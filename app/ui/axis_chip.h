#pragma once

#include <string>

#include "app/notation/axis.h"
#include "app/ui/look.h"

namespace loom::panels {

// From app/notation/axis.h: toneOf(HardwareAxis), the Tone (a colour of the palette) of what a loop is bound to;
// wordOf(HardwareAxis) and wordOf(MemoryLevel), the Text that names it; letterOf(MemoryLevel), the C string "G" for
// global memory, "S" for shared memory or "R" for registers.
using notation::letterOf;
using notation::toneOf;
using notation::wordOf;

/// Returns the colour, black or white, of text that is readable on a background of the tone `ground`. `alpha`, 0 to 1,
/// is the opacity of the text.
ImU32 inkOn(const window::Look& look, window::Tone ground, float alpha = 1);
/// Returns the colour of letters in a tone: the tone's own colour may be too dark or too bright to read on a panel, so
/// it is mixed with the colour of text until it is readable.
ImU32 inkOf(const window::Look& look, window::Tone tone);
/// Draws the chip of a loop, a small box with `letters`, with its left edge at `at.x`, centred on `at.y` (px of the
/// screen), and returns its width in px. The colour and shape depend on the hardware axis that the loop is bound to.
/// `alpha`, 0 to 1, is the opacity.
float drawAxisChip(const window::Look& look, ImVec2 at, device::HardwareAxis axis, const char* letters,
                   float alpha = 1);
/// Draws the square that marks a block (a computation in a loop nest), with its left edge at `at.x`, centred on `at.y`
/// (px of the screen), and returns its width in px. `alpha`, 0 to 1, is the opacity.
float drawBlockMark(const window::Look& look, ImVec2 at, float alpha = 1);
/// Draws a dashed rectangle between two corners (px of the screen). Its upper and its lower edge are left out between
/// the horizontal positions `gap.x` and `gap.y`, where words stand; nothing is left out if the two are equal.
void drawDashed(const window::Look& look, ImVec2 from, ImVec2 to, ImU32 colour, ImVec2 gap = {});

}  // namespace loom::panels
