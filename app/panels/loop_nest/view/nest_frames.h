#pragma once

#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// A line of the nest as a bar: a header, below it the bars that it holds, and a foot where it holds any.
struct NestFrame {
  NestLine line;
  int parent = -1, depth = 0;
  int end = 0;  ///< descendants are [index + 1, end)
  float top = 0, header = 0, bottom = 0;
};

/// Returns the frames of a nest with their nesting, but without places yet.
std::vector<NestFrame> nestFrames(const LoopNest& nest, const std::vector<NestLine>& lines);

/// Places frames whose headers have their heights one below the other from `top` on, `gap` below each that ends; gives
/// the end of the last.
float stackFrames(std::vector<NestFrame>& frames, float top, float foot, float gap);

}  // namespace loom::session
