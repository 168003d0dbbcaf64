#pragma once

#include <string>

namespace loom::window {

/// Returns the name of a window or control for Dear ImGui: the title in the current language, followed by "###" and an
/// id that is the same in every language.
std::string windowName(const char* title, const char* id);

}  // namespace loom::window
