#include "app/panels/history/tree_lines.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/text.h"

namespace loom::panels {

using window::Tone;

float treeColumn(const window::Look& look, float left, int depth) {
  return left + look.px(11) + float(depth) * look.px(14);
}

void drawTreeLines(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height) {
  const float x = treeColumn(look, at.x, row.depth), middle = at.y + height / 2;
  const ImU32 line = look.paint(Tone::kLine);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int d = 0; d <= row.depth; ++d) {
    const float column = treeColumn(look, at.x, d);
    const bool own = d == row.depth;
    list->AddLine({column, own && row.branch ? middle : at.y}, {column, own && row.folded ? middle : at.y + height},
                  line);
  }
  if (row.branch) list->AddLine({x - look.px(14), middle}, {x, middle}, line);
}

void drawWay(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height, bool isCurrent) {
  const float middle = at.y + height / 2, bottom = at.y + height, wide = look.px(2);
  const ImU32 colour = look.paint(Tone::kText);
  ImDrawList* list = ImGui::GetWindowDrawList();
  auto column = [&](int depth) { return treeColumn(look, at.x, depth); };
  for (int d = 0; d < std::min(row.depth, 64); ++d)
    if ((row.passing >> d & 1) != 0) list->AddLine({column(d), at.y}, {column(d), bottom}, colour, wide);
  if (!row.onWay) return;
  const float x = column(row.depth);
  if (row.branch) {
    list->AddLine({column(row.depth - 1), at.y}, {column(row.depth - 1), middle}, colour, wide);
    list->AddLine({column(row.depth - 1), middle}, {x, middle}, colour, wide);
  } else if (row.node != 0) {
    list->AddLine({x, at.y}, {x, middle}, colour, wide);
  }
  if (!(isCurrent || row.folded)) list->AddLine({x, middle}, {x, bottom}, colour, wide);
}

bool drawTriangle(const window::Look& look, const std::string& id, bool isShut, ImVec2 centre, const text::Text& tip) {
  const float reach = look.px(7), half = look.px(3.5F);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({centre.x - reach, centre.y - reach});
  const bool clicked = ImGui::InvisibleButton(id.c_str(), {2 * reach, 2 * reach});
  const bool hovered = ImGui::IsItemHovered();
  setItemTip(look, look.say(tip));
  ImGui::SetCursorScreenPos(after);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({centre.x - half - 1, centre.y - half - 1}, {centre.x + half + 1, centre.y + half + 1},
                      look.paint(Tone::kPanel));
  const ImU32 colour = look.paint(hovered ? Tone::kText : Tone::kTextSecond);
  if (isShut) {
    list->AddTriangleFilled({centre.x - half, centre.y - half}, {centre.x - half, centre.y + half},
                            {centre.x + half, centre.y}, colour);
  } else {
    list->AddTriangleFilled({centre.x - half, centre.y - half}, {centre.x + half, centre.y - half},
                            {centre.x, centre.y + half}, colour);
  }
  return clicked;
}

}  // namespace loom::panels
