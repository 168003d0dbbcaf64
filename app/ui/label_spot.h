#pragma once

#include <imgui.h>

#include <vector>

namespace loom::panels {

/// Returns the upper left corner for a label of `size`, such that the label hides as few of `points` as possible.
/// Places around `anchor` at a distance of at least `gap`, within the rectangle from `low` to `high`, are tried; of
/// equally good ones the closest is taken. All values are in pixels of the screen.
ImVec2 placeLabel(ImVec2 anchor, ImVec2 size, float gap, ImVec2 low, ImVec2 high, const std::vector<ImVec2>& points);

/// Returns how many of the points lie in the rectangle with that corner and size, or closer than `margin` px to it.
int hiddenBy(ImVec2 corner, ImVec2 size, float margin, const std::vector<ImVec2>& points);

}  // namespace loom::panels
