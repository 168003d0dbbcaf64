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

/// Returns the intersection of two rectangles; an empty one, with `to` before `from`, if they don't intersect.
PanelRect common(const PanelRect& a, const PanelRect& b);

/// Returns the text that a window and its child windows drew in the frame that has just ended, without what an opaque
/// rectangle covered later. To be called after a frame that was drawn completely.
std::vector<TextRun> drawnText(const std::string& window);

}  // namespace loom::window
