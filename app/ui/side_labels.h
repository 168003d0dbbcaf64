#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// What stands right of a plot at the height of a line.
struct SideLabel {
  float y = 0;
  std::string text;
  window::Tone tone = window::Tone::kTextFaint;
};

/// Draws them from `x` on in the current face, cut to `width`; those that would lie on each other move down, tied to
/// their lines. What finds no place above `bottom` is left out.
void drawSideLabels(const window::Look& look, float x, float width, float top, float bottom,
                    std::vector<SideLabel> labels);

}  // namespace loom::panels
