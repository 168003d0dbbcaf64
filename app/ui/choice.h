#pragma once

namespace loom::window {

struct Look;

/// ImGui::RadioButton and ImGui::Checkbox with an outline, without which an option that isn't chosen would hardly be
/// visible. Return true when the user clicked.
bool radioButton(const Look& look, const char* label, bool active);
bool checkbox(const Look& look, const char* label, bool* value);

}  // namespace loom::window
