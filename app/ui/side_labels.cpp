#include "app/ui/side_labels.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/short_step.h"

namespace loom::panels {

void drawSideLabels(const window::Look& look, float x, float width, float top, float bottom,
                    std::vector<SideLabel> labels) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight();
  std::stable_sort(labels.begin(), labels.end(), [](const SideLabel& a, const SideLabel& b) { return a.y < b.y; });
  float next = top - line / 2;
  for (const SideLabel& l : labels) {
    const float y = std::max(next, l.y - line / 2);
    if (y + line / 2 > bottom) break;
    if (std::abs(y + line / 2 - l.y) > look.px(1))
      draw.AddLine({x, l.y}, {x + look.px(5), y + line / 2}, look.paint(window::Tone::kLine));
    draw.AddText({x + look.px(8), y}, look.paint(l.tone), ellipsized(l.text, width - look.px(8)).c_str());
    next = y + line;
  }
}

}  // namespace loom::panels
