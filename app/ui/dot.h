#pragma once

#include <imgui.h>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a round mark of `radius` px, filled or as a ring. The mark is a glyph of the code font, which takes two
/// triangles instead of some eighty, because plots have many marks; if the font lacks the glyph, it is a circle.
void drawDot(const window::Look& look, ImDrawList& list, ImVec2 centre, float radius, ImU32 colour, bool filled = true);

/// Draws a filled star, `radius` px from its centre to its points, which marks the fastest state of a program in every
/// plot.
void drawStar(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour);

/// Draws a line of dashes that are `dash` px long, more than 0, with gaps of four fifths of that length. `thickness` is
/// in px.
void drawDashedLine(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness = 1.5F);

}  // namespace loom::panels
