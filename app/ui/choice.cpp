#include "app/ui/choice.h"

#include <imgui.h>

#include "app/ui/look.h"

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

}  // namespace loom::window
