#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/playback/slot_rows.h"
#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// The rows of a software pipeline in the panel Playback, below the rows of the pipes: one for the asynchronous copies
/// that nothing has waited for yet, if there are any, and one for each slot of each ring buffer.
namespace loom::panels::playback {

/// Returns the number of these rows for Playback::pipeline; 0 for a program whose iterations don't overlap.
int pipelineRows(const session::PipelineView& pipeline);
/// Draws these rows for the time of `window`, at the positions in `rows`. `now` is the cursor's time in clocks since
/// the window began; below 0: there is no cursor.
void drawPipelineRows(const window::Look& look, const session::Playback& playback,
                      const session::PlaybackWindow& window, const PipelineRows& rows, double now);
/// Returns the text of the tooltip, which the caller shows, of row `row`, counted from the first of these rows, at a
/// time in clocks since the window began; empty if there is no such row. If there are copies that nothing has
/// waited for and `blocks` is empty, `blocks` becomes the TIR blocks that the first group of them is of.
std::string pipelineHint(const window::Look& look, const session::Playback& playback,
                         const session::PlaybackWindow& window, int row, double clocks, std::vector<ir::Id>& blocks);
/// Returns what the slots of all ring buffers hold at a time in clocks since the block began, slot by slot: "A_shared:
/// k = 3 being read, k = 4 not awaited yet"; empty if there are no ring buffers.
std::string slotsText(const window::Look& look, const session::Playback& playback, double clocks);

}  // namespace loom::panels::playback
