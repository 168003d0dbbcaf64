#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/window/panel_capture.h"

struct ImGuiWindow;

namespace loom::window {

/// Characters of one face and colour on one line, as a frame drew them.
struct TextRun {
  std::string text;  ///< words apart by one blank, however wide it is
  PanelRect ink;     ///< the characters' outlines, also where they are cut off; ImGui's coordinates
  PanelRect clip;    ///< what of the window they may be drawn on
  ImU32 colour = 0;
  float start = 0, end = 0;  ///< the pen's places before the first character and after the last
  float trimmedX = 0;        ///< px that Dear ImGui has cut off a character at a side, and above or below
  float trimmedY = 0;
  const ImGuiWindow* window = nullptr;  ///< in whose draw list; valid until the next frame
};

/// What of `a` lies in `b`; empty, with `to` before `from`, where they don't meet.
PanelRect common(const PanelRect& a, const PanelRect& b);

/// The text that a window and the child windows in it drew in the frame that has just ended, without what was drawn
/// over by an opaque rectangle later. To be asked after the frame, which is to be one that was drawn whole.
std::vector<TextRun> drawnText(const std::string& window);

}  // namespace loom::window
