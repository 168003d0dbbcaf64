#pragma once

namespace loom::window {

/// ImGui::SmallButton, whose frame is as high as a line of text and cuts the feet of its letters, with room for them.
bool smallButton(const char* label);

}  // namespace loom::window
