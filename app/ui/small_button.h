#pragma once

namespace loom::window {

/// Like ImGui::SmallButton, with a frame that has room for the descenders of its letters, which ImGui's cuts off.
/// Returns whether it was clicked.
bool smallButton(const char* label);

}  // namespace loom::window
