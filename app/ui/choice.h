#pragma once

namespace loom::window {

struct Look;

/// ImGui::RadioButton and ImGui::Checkbox with an outline that is seen: without one, what isn't chosen is a blot.
bool radioButton(const Look& look, const char* label, bool active);
bool checkbox(const Look& look, const char* label, bool* value);

}  // namespace loom::window
