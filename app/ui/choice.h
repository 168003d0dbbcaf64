#pragma once

#include <imgui.h>

#include <string>

namespace loom::window {

struct Look;

/// Draws ImGui::RadioButton with an outline, without which an option that isn't chosen would hardly be visible. Returns
/// whether the user clicked it.
bool radioButton(const Look& look, const char* label, bool active);
/// Draws ImGui::Checkbox with the outline of `radioButton`. Returns whether the user changed `*value`.
bool checkbox(const Look& look, const char* label, bool* value);

/// Begins a combo box like ImGui::BeginCombo, with `shown` as the current choice. If that is wider than the field, it
/// is cut with "…" and a tooltip shows all of it. Returns whether the list is open; the caller then draws its entries
/// and calls ImGui::EndCombo.
bool beginCombo(const char* label, const std::string& shown, ImGuiComboFlags flags = 0);

}  // namespace loom::window
