#pragma once

#include <imgui.h>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// A round mark of `radius` px, filled or as a ring: a glyph of the code face, which is two triangles where a circle
/// would be some eighty. A state's marks come by the dozen. Where the face lacks the glyph, a circle.
void drawDot(const window::Look& look, ImDrawList& list, ImVec2 centre, float radius, ImU32 colour, bool filled = true);

/// A star of `radius` px: the fastest state, wherever states are drawn.
void drawStar(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour);

/// Dashes of so many px, four fifths of that apart.
void drawDashedLine(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour, float dash, float thickness = 1.5F);

}  // namespace loom::panels
