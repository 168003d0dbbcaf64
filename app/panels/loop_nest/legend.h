#pragma once

#include "app/panels/loop_nest/boxes.h"

/// What explains the bars of the loop nest: titles of the columns and the legend.
namespace loom::panels {

inline constexpr float kNestTitles = 20, kNestLegendRow = 19;  ///< heights, design px

void drawNestTitles(const window::Look& look, NestBars::Columns columns, float width);
/// How many rows the legend may take of `height` px: the nest comes first. 0: none.
int nestLegendRows(const window::Look& look, float height);
/// Of so many rows, px.
float nestLegendHeight(const window::Look& look, int rows);
/// Every kind of loop that is there, the letters of the levels and the handle, in at most so many rows. What finds no
/// room is left out; hovers say the same of each bar.
void drawNestLegend(const window::Look& look, const NestBars& shown, float width, int rows);

}  // namespace loom::panels
