#pragma once

namespace loom::panels {

/// Draws the name of the current column in the header row of a Dear ImGui table, by ImGui::TableHeader. With
/// `overFigures` the name is aligned to the right, as the figures in the column's cells are; otherwise to the left.
void drawColumnName(const char* name, bool overFigures);

}  // namespace loom::panels
