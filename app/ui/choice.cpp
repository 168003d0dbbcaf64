#include "app/ui/choice.h"

#include "app/ui/look.h"
#include "app/ui/short_step.h"

namespace loom::window {
namespace {

template <class Draw>
bool outlined(const Look& look, Draw draw) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, look.paint(Tone::kTextFaint));
  const bool changed = draw();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  return changed;
}

}  // namespace

bool radioButton(const Look& look, const char* label, bool active) {
  return outlined(look, [&] { return ImGui::RadioButton(label, active); });
}

bool checkbox(const Look& look, const char* label, bool* value) {
  return outlined(look, [&] { return ImGui::Checkbox(label, value); });
}

bool beginCombo(const char* label, const std::string& shown, ImGuiComboFlags flags) {
  const float room = ImGui::CalcItemWidth() - ImGui::GetFrameHeight() - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string cut = panels::ellipsized(shown, room);
  const bool isOpen = ImGui::BeginCombo(label, cut.c_str(), flags);
  if (!isOpen && cut != shown) ImGui::SetItemTooltip("%s", shown.c_str());
  return isOpen;
}

}  // namespace loom::window
