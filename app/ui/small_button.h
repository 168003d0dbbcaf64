#pragma once

namespace loom::window {

/// Draws a button like ImGui::SmallButton, but with a frame that has room for the descenders of the label's letters.
/// Returns whether the button was clicked in this frame.
bool smallButton(const char* label);

}  // namespace loom::window
