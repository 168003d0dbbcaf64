#pragma once

#include <imgui.h>

namespace loom::window {

/// The most indices of a command that `pairRectangles` leaves.
inline constexpr int kMostPairedIndices = 1020;

/// Rewrites the indices and commands of a frame so that the two triangles of each upright rectangle (a glyph, a bar, a
/// ground) begin at a multiple of six indices within their command, and no command has more than `kMostPairedIndices`.
/// The same shapes are drawn in the same order: gaps before rectangles are filled with triangles of no area. Commands
/// that are calls of a function stay as they are.
///
/// Where no GPU draws, Mesa's llvmpipe does, and draws two such triangles as one rectangle, for less than two triangles
/// cost. It looks for them only in commands whose number of indices is a multiple of six, and cuts commands of more
/// than 1024 indices wherever that falls (Mesa 22.3: lp_setup_vbuf.c, draw_pt_vsplit.c).
void pairRectangles(ImDrawData& data);

}  // namespace loom::window
