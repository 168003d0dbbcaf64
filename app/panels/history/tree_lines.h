#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/look.h"
#include "core/document/branches.h"

namespace loom::panels {

/// Returns the x coordinate, in px, of the vertical line of branches that are `depth` deep, in rows that begin at x
/// coordinate `left`.
float treeColumn(const window::Look& look, float left, int depth);

/// Draws the lines of the history's tree in one row, which begins at `at` and is `height` px high.
void drawTreeLines(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height);

/// Draws over these lines those of the path to the current state, strong as in the page Steps of Performance; nothing
/// in a row that the path doesn't go through. `isCurrent` says whether the row shows the current state, where the path
/// ends.
void drawWay(const window::Look& look, const document::HistoryRow& row, ImVec2 at, float height, bool isCurrent);

/// Draws the triangle around `centre` that opens and shuts what is below a row, with `tip` as its tooltip. Returns
/// whether it was clicked.
bool drawTriangle(const window::Look& look, const std::string& id, bool isShut, ImVec2 centre, const text::Text& tip);

}  // namespace loom::panels
