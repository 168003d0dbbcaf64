#pragma once

#include <imgui.h>

#include <vector>

namespace loom::panels {

/// Where a label of `size` goes so that it hides as few of `points` as possible: its corner, around `anchor` at `gap`
/// and further, and within `low` and `high`. The closest of those that hide as few. All in pixels of the screen.
ImVec2 placeLabel(ImVec2 anchor, ImVec2 size, float gap, ImVec2 low, ImVec2 high, const std::vector<ImVec2>& points);

/// How many of the points lie in the rectangle of that corner and size, or closer than `margin` to it.
int hiddenBy(ImVec2 corner, ImVec2 size, float margin, const std::vector<ImVec2>& points);

}  // namespace loom::panels
