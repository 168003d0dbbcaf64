#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/notation/palette.h"
#include "core/document/stall_view.h"

namespace loom::window {
struct Look;
}
namespace loom::session {
struct MachineText;
}

namespace loom::panels {

/// A column beside code: for each line, the share of the kernel's samples (each is a warp that the profiler found at an
/// instruction, waiting for some reason or just issuing it) that are of that line, and the most frequent reason. To
/// measure and draw it, the code font must be the current one.
struct StallColumn {
  std::vector<profile::StallCount> lines;  ///< by line of the code, from 0: the samples, in all and by reason
  /// `total`: samples of the whole kernel, also those of no line; `most`: the most samples of one line. 0: none.
  std::int64_t total = 0, most = 0;
};
/// Makes the column for a listing of SASS. `view` has the samples by instruction of the same code; lines of
/// instructions that it lacks have none.
StallColumn stallColumn(const session::MachineText& sass, const document::StallView& view);
/// Makes the column for a CUDA text of `lines` lines. `view` has the samples by CUDA line; those of other lines count
/// only in `total`.
StallColumn stallColumn(std::size_t lines, const document::StallView& view);

/// Returns the width of the column in px.
float stallColumnWidth(const window::Look& look);
/// Draws the column's entry for a line: the share of the kernel's samples in percent, the letters of the most frequent
/// reason (profile::lettersOf), and a bar (over the whole column for the line with the most samples); only the bar for
/// a share below 0.05 %, and nothing for a line without samples or beyond the last. `at` is the upper left corner (px
/// of the screen), and `height` the height of the row in px.
void drawStallLine(const window::Look& look, const StallColumn& column, std::size_t line, ImVec2 at, float height);
/// Draws the head of the column at `at` (px of the screen), with a tooltip that says what the column shows.
void drawStallHead(const window::Look& look, ImVec2 at);
/// Returns the entry of a line as a text for a tooltip: the share, the samples and the four most frequent reasons.
/// Returns "" if the line has no samples.
std::string stallTip(const window::Look& look, const StallColumn& column, std::size_t line);

}  // namespace loom::panels
