#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// A label right of a plot, at the height of the right end of one of the plot's curves. Its tone is a colour of the
/// palette.
struct SideLabel {
  float y = 0;  ///< vertical position of the curve's end and of the label's centre, px of the screen
  std::string text;
  window::Tone tone = window::Tone::kTextFaint;
};

/// Draws labels, which may be in any order, into the current window in the current font. `x` is where the curves end;
/// the room of `width` px right of it holds a gap and the text, which is cut to fit. A label that would overlap the one
/// above it moves down, and a short connector in the gap leads to its curve's end. No label's centre lies above
/// `top`; the first label whose centre would lie below `bottom`, and all below it, are left out. `x`, `top` and
/// `bottom` are in px of the screen, `width` is a number of px.
void drawSideLabels(const window::Look& look, float x, float width, float top, float bottom,
                    std::vector<SideLabel> labels);

}  // namespace loom::panels
