#include "app/panels/panel_text.h"

#include <imgui.h>

#include "app/panels/rich_text.h"

namespace loom::panels {

void drawHeading(const window::Look& look, const std::string& text) {
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  drawWrapped(text);
  ImGui::PopFont();
}

void drawSecond(const window::Look& look, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(text);
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

}  // namespace loom::panels
