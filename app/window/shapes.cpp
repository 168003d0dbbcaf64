#include "app/window/shapes.h"

#include <algorithm>
#include <cmath>

namespace loom::window {

Area wholeOf(const ImDrawData& data) {
  return {0, 0, int(data.DisplaySize.x * data.FramebufferScale.x), int(data.DisplaySize.y * data.FramebufferScale.y)};
}

Area areaOf(const ImDrawCmd& command, const ImDrawData& data) {
  const Area whole = wholeOf(data);
  const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
  const float left = (command.ClipRect.x - offset.x) * scale.x, top = (command.ClipRect.y - offset.y) * scale.y,
              right = (command.ClipRect.z - offset.x) * scale.x, bottom = (command.ClipRect.w - offset.y) * scale.y;
  // OpenGL counts rows from the bottom: it is the lower edge that is cut to whole pixels, and then the height.
  const int x = int(left), fromBottom = int(float(whole.bottom) - bottom);
  const int end = whole.bottom - fromBottom;
  return Area{x, end - int(bottom - top), x + int(right - left), end}.within(whole);
}

Area areaOf(const ImDrawIdx* indices, const ImDrawVert* vertices, const ImDrawData& data) {
  // The second triangle of an upright rectangle reaches no further than the first.
  ImVec2 low = vertices[indices[0]].pos, high = low;
  for (int k = 1; k < kTriangle; ++k) {
    const ImVec2 at = vertices[indices[k]].pos;
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  const ImVec2 offset = data.DisplayPos, scale = data.FramebufferScale;
  return {int(std::floor((low.x - offset.x) * scale.x)), int(std::floor((low.y - offset.y) * scale.y)),
          int(std::ceil((high.x - offset.x) * scale.x)), int(std::ceil((high.y - offset.y) * scale.y))};
}

}  // namespace loom::window
