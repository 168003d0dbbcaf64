#include "app/ui/small_button.h"

#include <imgui_internal.h>

#include <cmath>

namespace loom::window {

bool smallButton(const char* label) {
  constexpr float kOfALine = 1.0F / 13;
  ImGui::PushStyleVarY(ImGuiStyleVar_FramePadding, std::ceil(ImGui::GetFontSize() * kOfALine));
  const bool clicked = ImGui::ButtonEx(label, {0, 0}, ImGuiButtonFlags_AlignTextBaseLine);
  ImGui::PopStyleVar();
  return clicked;
}

}  // namespace loom::window
