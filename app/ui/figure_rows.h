#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// A figure as a row: its name, a bar of which `share` is filled, and its amount with unit. The bar's tone is a colour
/// of the palette.
struct FigureRow {
  std::string name, amount;
  float share = 0;  ///< 0 to 1; the bar shows other values as the nearer of these
  window::Tone tone = window::Tone::kTextSecond;
  std::string hint = "";  ///< tooltip; empty: none
};

/// Draws figures as a table with columns for names, bars and amounts, so that the bars can be compared. If the table is
/// too narrow for a column of bars, each bar is drawn below the text of its row.
void drawFigureRows(const window::Look& look, const std::vector<FigureRow>& rows);

}  // namespace loom::panels
