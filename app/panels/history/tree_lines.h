#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/look.h"
#include "core/document/branches.h"

namespace loom::panels {

/// Returns the x coordinate, in px, of the vertical line of a branch with `depth` branches to the left of it
/// (HistoryRow::depth), in rows that begin at x coordinate `left`.
float treeColumn(const window::Look& look, float left, int depth);

/// Draws the lines of the history's tree, whose nodes are states (programs after schedule steps), in one row, whose
/// upper left corner is `at` (px of the screen) and which is `height` px high.
void drawTreeLines(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height);

/// Draws, thicker and over what `drawTreeLines` has drawn in the row at the same place, the path from the start of the
/// history to the current state. Draws nothing in a row whose state isn't on the path (HistoryRow::onWay) and which no
/// line of the path passes (HistoryRow::passing). `isCurrent` says whether the row shows the current state, where the
/// path ends.
void drawWay(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height, bool isCurrent);

/// Draws a triangle around `centre` (px of the screen) with which the user folds and unfolds the rows below a row, with
/// `tip` as its tooltip. The triangle points to the right if the rows are folded (`isShut`), else down. `id` is its
/// Dear ImGui id. Returns whether the triangle was clicked in this frame; the caller then folds or unfolds.
bool drawTriangle(const window::Look& look, const std::string& id, bool isShut, ImVec2 centre, const text::Text& tip);

}  // namespace loom::panels
