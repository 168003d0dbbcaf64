#pragma once

#include <imgui.h>

#include <string>

namespace loom::window {

struct Look;

/// Draw ImGui::RadioButton and ImGui::Checkbox with an outline, without which an option that isn't chosen would hardly
/// be visible. Return whether the user clicked.
bool radioButton(const Look& look, const char* label, bool active);
bool checkbox(const Look& look, const char* label, bool* value);

/// Like ImGui::BeginCombo, but a current choice that is wider than the field ends with "…" and is shown whole in a
/// tooltip.
bool beginCombo(const char* label, const std::string& shown, ImGuiComboFlags flags = 0);

}  // namespace loom::window
