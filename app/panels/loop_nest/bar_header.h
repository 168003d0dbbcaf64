#pragma once

#include <imgui.h>

#include <vector>

namespace loom::window {
struct Look;
}
namespace loom::model {
struct TimelinePosition;
}

namespace loom::panels {

class NestBars;
struct NestBar;

/// The place of a loop's or block's name in the header of a bar of the loop nest; a folded chain of loops shares one
/// bar.
struct NestChip {
  int row;         ///< index of the loop or block in LoopNest::rows
  float from, to;  ///< left and right edge, in px of the screen
};

/// Draws what a bar has on one line, from `at` on: for a loop, the letters of its hardware axis and its extent, and
/// also its name if the bar shows no other row; for a block, its name. `at.y` is the middle of the line. Names are
/// shortened so that they end left of `limit` (x in px of the screen) where that is possible; the extents of loops that
/// share a bar are never shortened. `moment` is the moment of the predicted execution that the panel Playback shows,
/// from which the values of loop variables are drawn; null: no values are drawn. `alpha` is the opacity, 0 to 1.
/// Returns a chip for each row, from left to right; a bar has at least one. Sets `stage` to the place of the text on
/// the pipeline stage ("stage 1") of a statement right below a pipelined loop; `stage.row` is -1 if the bar has no such
/// text, or no room for it.
std::vector<NestChip> drawBarNames(const window::Look& look, const NestBars& bars, const NestBar& bar,
                                   const model::TimelinePosition* moment, ImVec2 at, float limit, float alpha,
                                   NestChip& stage);

/// Draws how often the innermost row of a bar runs, what it computes (FLOP) and what it moves (bytes), in the columns
/// of NestBars::columns. `y` is the middle of the line, `from` the x where the names end, and `right` the right edge,
/// in px of the screen. If the bars have fewer than three columns, a number that has no column and no room is left out.
/// `alpha` is the opacity, 0 to 1.
void drawBarNumbers(const window::Look& look, const NestBars& bars, const NestBar& bar, float y, float from,
                    float right, float alpha);

}  // namespace loom::panels
