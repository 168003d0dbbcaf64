#pragma once

#include <span>
#include <string>

#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// What Playback says in words.
namespace loom::panels::playback {

/// Returns where the clocks of a k step go, or of a whole life without k steps: the busiest pipe, and what nothing
/// hides.
std::string budgetText(const window::Look& look, const model::Timeline& timeline);
/// Returns how long the whole life takes, and how that is known. `byRoles`: whether the block has roles, which say their
/// clocks themselves.
std::string totalText(const window::Look& look, const model::Timeline& timeline, bool byRoles);
/// Returns what happens at a moment, and what it accesses.
std::string momentText(const window::Look& look, const model::Timeline& timeline, const model::TimelinePosition& moment,
                       std::span<const session::TouchedTile> tiles);
/// Draws the tooltip of a bar: what it stands for in its phase.
void drawBarHint(const window::Look& look, const model::Timeline& timeline, const session::PlaybackBar& bar,
                 const model::TimelinePhase& phase);

}  // namespace loom::panels::playback
