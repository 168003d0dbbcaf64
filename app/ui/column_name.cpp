#include "app/ui/column_name.h"

#include <imgui.h>

#include <algorithm>

namespace loom::panels {

void drawColumnName(const char* name, bool overFigures) {
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(name).x;
  if (overFigures) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TableHeader(name);
}

}  // namespace loom::panels
