#pragma once

#include "app/panels/loop_nest/boxes.h"

/// What explains the bars of the loop nest: titles of the columns and the legend.
namespace loom::panels {

inline constexpr float kNestTitles = 20, kNestLegendRow = 19;  ///< heights, design px

void drawNestTitles(const window::Look& look, NestBars::Columns columns, float width);
/// Returns how many rows the legend may take of `height` px, since the nest comes first. 0: none.
int nestLegendRows(const window::Look& look, float height);
/// Returns the height of so many rows, in px.
float nestLegendHeight(const window::Look& look, int rows);
/// Draws the legend in at most `rows` rows: every kind of loop in the nest, the letters of the levels, and the handle.
/// What finds no room is left out; tooltips say the same of each bar.
void drawNestLegend(const window::Look& look, const NestBars& shown, float width, int rows);

}  // namespace loom::panels
