#pragma once

#include <string>
#include <vector>

#include "app/ui/look.h"

namespace loom::panels {

/// One figure: what it is, a bar of which `share` is filled, how much it is.
struct FigureRow {
  std::string name, amount;
  float share = 0;  ///< 0 … 1
  window::Tone tone = window::Tone::kTextSecond;
  std::string hint = "";  ///< empty: none
};

/// Draws figures under one another, each part in a column of its own, so that bars can be held against each other.
/// Where that leaves the bars no room, each stands below its words.
void drawFigureRows(const window::Look& look, const std::vector<FigureRow>& rows);

}  // namespace loom::panels
