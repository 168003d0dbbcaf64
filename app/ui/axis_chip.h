#pragma once

#include <string>

#include "app/notation/axis.h"
#include "app/ui/look.h"

namespace loom::panels {

using notation::letterOf;
using notation::toneOf;
using notation::wordOf;

/// What can be read on a ground of that colour: black or white.
ImU32 inkOn(const window::Look& look, window::Tone ground, float alpha = 1);
/// Returns the colour of letters in a hue: the hue itself may be too dark or too bright to read on a panel, so it is
/// mixed with the colour of text until it is readable.
ImU32 inkOf(const window::Look& look, window::Tone tone);
/// Draws a loop's chip with its left edge at `at`, centred on `at.y`; gives its width. The form goes with the axis.
float drawAxisChip(const window::Look& look, ImVec2 at, device::HardwareAxis axis, const char* letters,
                   float alpha = 1);
/// The square of a block; gives its width.
float drawBlockMark(const window::Look& look, ImVec2 at, float alpha = 1);
/// A dashed rectangle.
void drawDashed(const window::Look& look, ImVec2 from, ImVec2 to, ImU32 colour);

}  // namespace loom::panels
