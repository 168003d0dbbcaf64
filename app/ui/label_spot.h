#pragma once

#include <imgui.h>

#include <vector>

namespace loom::panels {

/// Returns the upper left corner for a label of `size`, such that the label hides as few of `points` as possible. The
/// function tries places around `anchor`, at distances from `gap` on, and takes the closest among equally good ones.
/// Places that stick out of the rectangle from `low` to `high` are moved into it; a label larger than that begins at
/// `low`. All values are in px of the screen.
ImVec2 placeLabel(ImVec2 anchor, ImVec2 size, float gap, ImVec2 low, ImVec2 high, const std::vector<ImVec2>& points);

/// Returns how many points lie in the rectangle with the upper left corner `corner` and `size`, enlarged on all sides
/// by `margin`. All values are in px of the screen.
int hiddenBy(ImVec2 corner, ImVec2 size, float margin, const std::vector<ImVec2>& points);

}  // namespace loom::panels
