#pragma once

#include "app/panels/loop_nest/boxes.h"

/// The titles of the columns above the bars of the loop nest, and the legend below them.
namespace loom::panels {

inline constexpr float kNestTitles = 20, kNestLegendRow = 19;  ///< heights, design px (px at a scale of 1)

/// Draws the titles of the loops and of the `columns` of figures beside them at the ImGui cursor, in `width` px. The
/// title of a column that would cover that of the loops is left out.
void drawNestTitles(const window::Look& look, NestBars::Columns columns, float width);
/// Returns how many rows the legend gets in a panel of `height` px: 3 or 1 if enough height for the bars remains, else
/// 0.
int nestLegendRows(const window::Look& look, float height);
/// Returns the height of a legend of `rows` rows, with the space at its edges, in px; 0 for no rows.
float nestLegendHeight(const window::Look& look, int rows);
/// Draws the legend at the ImGui cursor in at most `rows` rows of `width` px. It explains the colour and letters of
/// each kind of loop in the nest, the letters of the memory levels, and the handle that splits a loop. Entries that
/// have no room are left out; the tooltips of the bars say the same.
void drawNestLegend(const window::Look& look, const NestBars& shown, float width, int rows);

}  // namespace loom::panels
