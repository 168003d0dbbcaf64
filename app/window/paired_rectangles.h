#pragma once

#include <imgui.h>

#include <span>

#include "app/window/shapes.h"

namespace loom::window {

/// Rewrites a frame so that only these areas, which don't overlap, are drawn, with the shapes that reach into them; and
/// so that the two triangles of every upright rectangle stand at a multiple of six indices within their command, and no
/// command has more than `kMostPairedIndices`. What is drawn in an area stays the same, in the same order: triangles
/// between rectangles are filled up with ones of no area.
///
/// Why six: llvmpipe, which draws the window where no GPU does, draws two such triangles as one rectangle, but looks
/// for them only in commands whose count is a multiple of six, and it cuts commands of more than 1024 indices at places
/// that are none (Mesa 22.3, lp_setup_vbuf.c, draw_pt_vsplit.c). Nine tenths of a frame's shapes are glyphs and bars.
void pairRectangles(ImDrawData& data, std::span<const Area> areas);

inline constexpr int kMostPairedIndices = 1020;

}  // namespace loom::window
