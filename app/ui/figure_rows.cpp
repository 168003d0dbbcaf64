#include "app/ui/figure_rows.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/markdown.h"
#include "app/ui/text.h"

namespace loom::panels {

using window::Look;
using window::Tone;

namespace {

void bar(const Look& look, ImVec2 at, float width, float share, Tone tone) {
  const float height = look.px(7);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + height}, look.paint(Tone::kStrip));
  list->AddRectFilled(at, {at.x + width * std::clamp(share, 0.0F, 1.0F), at.y + height}, look.paint(tone));
}

}  // namespace

void drawFigureRows(const Look& look, const std::vector<FigureRow>& rows) {
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const float room = ImGui::GetContentRegionAvail().x - look.px(3), line = ImGui::GetTextLineHeight(), gap = look.px(8);
  float names = 0, amounts = 0;
  for (const FigureRow& row : rows) {
    names = std::max(names, ImGui::CalcTextSize(row.name.c_str()).x);
    amounts = std::max(amounts, ImGui::CalcTextSize(row.amount.c_str()).x);
  }
  const float width = room - names - amounts - 2 * gap;
  const bool beside = width >= look.px(36);
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ImGui::GetStyle().ItemSpacing.x, look.px(3)});
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
  for (const FigureRow& row : rows) {
    if (beside) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      if (at.y + line <= wholeLinesBelow(at.y, line)) {
        list->AddText(at, look.paint(Tone::kTextSecond), row.name.c_str());
        bar(look, {at.x + names + gap, at.y + (line - look.px(7)) / 2}, width, row.share, row.tone);
        list->AddText({at.x + names + 2 * gap + width, at.y}, look.paint(Tone::kTextSecond), row.amount.c_str());
      }
      ImGui::Dummy({room, line});
    } else {
      ImGui::BeginGroup();
      drawWrapped(row.name + "  " + row.amount);
      bar(look, ImGui::GetCursorScreenPos(), room, row.share, row.tone);
      ImGui::Dummy({room, look.px(7)});
      ImGui::EndGroup();
    }
    if (!row.hint.empty()) setItemTip(look, row.hint);
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace loom::panels
