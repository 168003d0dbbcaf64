#include "app/ui/list_row.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace loom::window {
namespace {

// As ImGui::Selectable divides the gap between two rows.
float upperHalfOfGap() { return IM_TRUNC(ImGui::GetStyle().ItemSpacing.y * 0.5F); }

}  // namespace

float listRowHeight() { return ImGui::GetTextLineHeightWithSpacing(); }

void beginListRows() { ImGui::SetCursorPosY(ImGui::GetCursorPosY() + upperHalfOfGap()); }

void endListRows() {
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - upperHalfOfGap());
  ImGui::Dummy({0, 0});
}

void keepRowInSight() {
  const float top = ImGui::GetItemRectMin().y - ImGui::GetWindowPos().y;
  const float bottom = ImGui::GetItemRectMax().y - ImGui::GetWindowPos().y;
  if (top < 0) ImGui::SetScrollY(ImGui::GetScrollY() + top);
  if (bottom > ImGui::GetWindowHeight()) ImGui::SetScrollY(ImGui::GetScrollY() + bottom - ImGui::GetWindowHeight());
}

}  // namespace loom::window
