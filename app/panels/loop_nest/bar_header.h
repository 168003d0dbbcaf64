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

/// A loop or block that is named in the header of a bar; several loops may share a bar.
struct NestChip {
  int row;         ///< of the nest
  float from, to;  ///< px of the screen, from left to right
};

/// Draws the axis, extent and name of each row of a bar from `at` on, whose y is the middle of the line; before
/// `limit`, a px of the screen, as far as that is possible: names are shortened, extents never are. `moment` is where
/// Playback stands, for the values of loops; null: it does not stand anywhere in what is drawn. Returns a chip for each
/// row, from left to right; a bar has at least one. `stage` becomes the place of the word of its stage in a pipelined
/// loop; its row is -1 where there is none.
std::vector<NestChip> drawBarNames(const window::Look& look, const NestBars& bars, const NestBar& bar,
                                   const model::TimelinePosition* moment, ImVec2 at, float limit, float alpha,
                                   NestChip& stage);

/// Draws how often a bar runs, what it computes and what it moves, in the columns that there are: around the height `y`
/// and between `from`, where the names end, and `right`; px of the screen. A number without room is left out.
void drawBarNumbers(const window::Look& look, const NestBars& bars, const NestBar& bar, float y, float from,
                    float right, float alpha);

}  // namespace loom::panels
