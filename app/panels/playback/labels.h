#pragma once

#include <span>
#include <string>

#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// Sentences and tooltips of the panel Playback.
namespace loom::panels::playback {

/// Returns a sentence on where the clocks of a k step go (of the block's whole life, if it has no k steps): how many
/// each pipe adds, because it is the busiest or because nothing hides its latency. A k step is one iteration of the
/// loop Timeline::step: in a matrix product, of the one over tiles along k.
std::string budgetText(const window::Look& look, const model::Timeline& timeline);
/// Returns a sentence on the kernel's predicted time, and how it is known: the clocks of a block's life, times the
/// rounds (the number of lives of blocks that follow one another on the busiest multiprocessor), plus the launch. With
/// `byRoles`, the block's warps have roles, and the clocks are left out, since `rolesText` (role_rows.h) has them.
std::string totalText(const window::Look& look, const model::Timeline& timeline, bool byRoles);
/// Returns a sentence on what the block does at a moment, and on the rectangles `tiles` of buffers that it accesses
/// then; `tiles` may be empty.
std::string momentText(const window::Look& look, const model::Timeline& timeline, const model::TimelinePosition& moment,
                       std::span<const session::TouchedTile> tiles);
/// Opens, draws and closes the tooltip of a bar: the action or the wait that it stands for. `phase` is the phase that
/// it belongs to. To be called only while the mouse is over the bar, which the function doesn't ask.
void drawBarHint(const window::Look& look, const model::Timeline& timeline, const session::PlaybackBar& bar,
                 const model::TimelinePhase& phase);

}  // namespace loom::panels::playback
