#pragma once

#include <imgui.h>

namespace loom::window {

/// Moves all that a frame draws into one list. Dear ImGui's backend hands each list's vertices and indices over in two
/// calls, for some thirty windows a frame, and a GPU's driver takes longer over such a call than over what is in it.
/// `all` is overwritten and must live until the frame is drawn. What is drawn stays the same, in the same order.
void moveIntoOne(ImDrawData& data, ImDrawList& all);

}  // namespace loom::window
