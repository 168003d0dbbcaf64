#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/look.h"
#include "core/device/program.h"

/// Headings with a chip before them: a small box with the colour and the letter of a tone. A tone is a named colour of
/// the palette; all pictures and the code use the same tones, so that a chip is the key to both.
namespace loom::panels {

/// Returns the tone in which a kind of memory is drawn: one for global memory, one for shared memory of either kind,
/// and that of fragments for fragments and for local memory.
window::Tone toneOf(device::Memory memory);
/// Draws the chip of a tone in the rectangle between two corners (px of the screen), with the tone's letter in the code
/// font: round for threads, outlined for serial loops and reductions, and otherwise filled.
void drawToneChip(const window::Look& look, ImVec2 from, ImVec2 to, window::Tone tone);
/// Draws the chip of a tone at the cursor, as high as a line of text. The next item stands beside it.
void drawToneLetter(const window::Look& look, window::Tone tone);
/// Draws a heading behind a filled square in the tone's colour, without a letter: for tones that stand for no axis of a
/// loop.
void drawMarkedHeading(const window::Look& look, window::Tone tone, const std::string& text);
/// Draws a heading behind the chip of a tone.
void drawHeading(const window::Look& look, window::Tone tone, const std::string& text);

}  // namespace loom::panels
