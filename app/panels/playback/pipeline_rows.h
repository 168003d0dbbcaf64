#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/panels/playback/slot_rows.h"
#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// The rows of a pipeline below those of the pipes: copies on their way, and the slots of each ring.
namespace loom::panels::playback {

/// Returns how many rows there are; 0 for a program whose iterations don't overlap.
int pipelineRows(const session::PipelineView& pipeline);
/// Draws the rows of a window; `now` is the cursor's time since the window began, below 0 where there is none.
void drawPipelineRows(const window::Look& look, const session::Playback& playback,
                      const session::PlaybackWindow& window, const PipelineRows& rows, double now);
/// Returns what stands at a row and a time since the window began, as words of a tooltip; empty where nothing does.
/// `blocks` becomes the blocks of the copies there.
std::string pipelineHint(const window::Look& look, const session::Playback& playback,
                         const session::PlaybackWindow& window, int row, double clocks, std::vector<ir::Id>& blocks);
/// Returns what the slots hold at a time of the block's life: "A_shared: 0 read (k = 3), 1 landed (k = 4)"; empty
/// without rings.
std::string slotsText(const window::Look& look, const session::Playback& playback, double clocks);

}  // namespace loom::panels::playback
