#pragma once

#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// The frame of a bar of the loop nest. A bar shows one loop or block, or a folded chain of loops (`NestLine`): as a
/// header, below it the bars inside, and below these a foot. A bar without bars inside has no foot.
struct NestFrame {
  NestLine line;               ///< the rows that the bar shows
  int parent = -1, depth = 0;  ///< index of the frame around this one, -1 for none; number of frames around this one
  int end = 0;                 ///< the frames inside are those with the indices [its own index + 1, end)
  float top = 0, header = 0, bottom = 0;  ///< y of the top edge, height of the header, y of the bottom edge; px
};

/// Returns a frame for each of `lines`, the lines of `nest`, with `parent`, `depth` and `end`; `top`, `header` and
/// `bottom` are 0, and the caller sets `header`.
std::vector<NestFrame> nestFrames(const LoopNest& nest, const std::vector<NestLine>& lines);

/// Sets `top` and `bottom` of all frames, one below the other from y `top` on. `header` must be set. `foot` is the
/// height of a foot, and `gap` the space below each bar; all in px. Returns the y at which the last bar, with its gap,
/// ends; `top` if there are no frames.
float stackFrames(std::vector<NestFrame>& frames, float top, float foot, float gap);

}  // namespace loom::session
