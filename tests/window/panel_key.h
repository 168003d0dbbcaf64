#pragma once

#include <imgui.h>

#include <string_view>

#include "app/panels/panel.h"

namespace loom::window {

/// Returns the digit key that, with Ctrl, opens the panel with this id; ImGuiKey_None for panels after the ninth and
/// for unknown ids.
inline ImGuiKey digitOf(std::string_view panel) {
  constexpr int kDigits = 9;
  int at = 0;
  for (const panels::PanelEntry& entry : panels::panelTable()) {
    if (at == kDigits) break;
    if (entry.id == panel) return ImGuiKey(ImGuiKey_1 + at);
    ++at;
  }
  return ImGuiKey_None;
}

}  // namespace loom::window
