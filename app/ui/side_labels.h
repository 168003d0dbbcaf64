#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// A label right of a plot, at the height of one of the plot's lines.
struct SideLabel {
  float y = 0;
  std::string text;
  window::Tone tone = window::Tone::kTextFaint;
};

/// Draws labels in the current font from `x` on, each cut to `width` (px). Labels that would overlap move down and are
/// connected to their lines. A label that finds no place between `top` and `bottom` is left out.
void drawSideLabels(const window::Look& look, float x, float width, float top, float bottom,
                    std::vector<SideLabel> labels);

}  // namespace loom::panels
