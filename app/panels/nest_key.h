#pragma once

#include "app/panels/nest_bars.h"

/// What explains the bars of the loop nest: titles of the columns, the legend, the hover of a row.
namespace loom::panels {

inline constexpr float kNestTitles = 20, kNestLegendRow = 19,
                       kNestLegend = 3 * kNestLegendRow + 8;  ///< heights, design px

void drawNestTitles(const window::Look& look, NestBars::Columns columns, float width);
/// Every kind of loop that is there, in at most two lines.
void drawNestLegend(const window::Look& look, const NestBars& shown, float width);
/// Inside a tooltip: who runs the row, how often, what it came from, what it computes and moves.
void drawNestHover(const window::Look& look, const workbench::NestRow& row);

}  // namespace loom::panels
