#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// A label right of a plot, at the height of one of the plot's lines. Its tone is a colour of the palette.
struct SideLabel {
  float y = 0;  ///< vertical position of the line's end, px of the screen
  std::string text;
  window::Tone tone = window::Tone::kTextFaint;
};

/// Draws labels in the current font, from `x` to the right, each cut to `width` px. A label that would overlap the one
/// above it moves down, and a short line connects it to the end of its plot line. A label that finds no place between
/// `top` and `bottom` is left out. `x`, `top` and `bottom` are in px of the screen.
void drawSideLabels(const window::Look& look, float x, float width, float top, float bottom,
                    std::vector<SideLabel> labels);

}  // namespace loom::panels
