#include "app/ui/cells.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/ui/look.h"

namespace loom::panels::pictures {

using window::Look;
using window::Tone;

Canvas canvas(const char* id, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {std::max(1.0F, width), std::max(1.0F, height)});
  const ImVec2 mouse = ImGui::GetMousePos();
  return {at, ImGui::GetWindowDrawList(), clicked, ImGui::IsItemHovered(), {mouse.x - at.x, mouse.y - at.y}};
}

float side(const Look& look, float width, std::int64_t columns) {
  return std::clamp(std::floor(width / float(columns)), 1.0F, look.px(kMostCell));
}

void cell(const Canvas& c, const Look& look, float x, float y, float w, float h, ImU32 fill, const std::string& label,
          ImU32 ink) {
  const float gap = w > 4 && h > 4 ? 1.0F : 0.0F;
  c.draw->AddRectFilled({c.at.x + x, c.at.y + y}, {c.at.x + x + w - gap, c.at.y + y + h - gap}, fill);
  if (label.empty()) return;
  const float size = std::min(look.px(window::kUnitSize), h - 2);
  const ImVec2 extent = look.fonts.code->CalcTextSizeA(size, FLT_MAX, 0, label.c_str());
  if (extent.x > w - 2 || h < look.px(kNumberFrom)) return;
  c.draw->AddText(look.fonts.code, size, {c.at.x + x + (w - gap - extent.x) / 2, c.at.y + y + (h - gap - size) / 2},
                  ink, label.c_str());
}

void outline(const Canvas& c, const Look& look, float x, float y, float w, float h) {
  c.draw->AddRect({c.at.x + x - 1, c.at.y + y - 1}, {c.at.x + x + w, c.at.y + y + h}, look.paint(Tone::kSelected), 0, 0,
                  std::max(1.0F, look.px(1.5F)));
}

void frame(const Canvas& c, const Look& look, float x, float y, float w, float h, ImU32 ink) {
  const float in = w >= look.px(12) ? look.px(2) : 0;
  c.draw->AddRect({c.at.x + x + in, c.at.y + y + in}, {c.at.x + x + w - 1 - in, c.at.y + y + h - 1 - in}, ink, 0, 0,
                  std::max(1.0F, look.px(1)));
}

}  // namespace loom::panels::pictures
