#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/window/panel_capture.h"

struct ImGuiWindow;

namespace loom::window {

/// Characters of one face and colour that follow one another on a line, as a frame drew them. A gap wider than about
/// half the font size ends a run.
struct TextRun {
  std::string text;          ///< the characters; a gap between words is one blank
  PanelRect ink;             ///< bounds of the characters' outlines, cut-off parts included; ImGui's coordinates
  PanelRect clip;            ///< the clip rectangle, outside of which nothing of the run is drawn
  ImU32 colour = 0;          ///< colour of the characters, as Dear ImGui packs it
  float start = 0, end = 0;  ///< x of the pen before the first character and after the last
  float trimmedX = 0;  ///< the most that Dear ImGui has cut off a character, left and right together, in ImGui's units
  float trimmedY = 0;  ///< the same above and below together
  const ImGuiWindow* window = nullptr;  ///< the window in whose draw list the run is; valid until the next frame
};

/// Returns the intersection of two rectangles; an empty one, with `to` before `from`, if they don't intersect.
PanelRect common(const PanelRect& a, const PanelRect& b);

/// Returns the text that the ImGui window with this name and its child windows drew in the frame that has just ended,
/// in the order of drawing; empty if there is no such window. Text that is clipped away, text that an opaque rectangle
/// covers, and the marks of charts (Unicode's Geometric Shapes) are left out.
std::vector<TextRun> drawnText(const std::string& window);

}  // namespace loom::window
