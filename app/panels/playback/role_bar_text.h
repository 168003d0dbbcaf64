#pragma once

#include <string>
#include <vector>

#include "app/panels/playback/view/role_lanes.h"
#include "app/ui/look.h"

/// What lanes of roles and their bars are called.
namespace loom::panels::playback {

/// Returns the name of a lane: "warps 0–3", "copy engine".
std::string laneText(const window::Look& look, const session::RoleLane& lane);
/// Returns what the lane's agent does, for a tooltip.
std::string laneHint(const window::Look& look, const session::RoleLane& lane);
/// Returns what stands to the right of a lane: what it waits for, or how busy it is.
std::string figuresText(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane);
/// Returns what stands on a bar: "waits for box #5".
std::string barText(const window::Look& look, const session::RoleLane::Bar& bar);
/// Returns the same in fewer and fewer words: …, "#5".
std::vector<std::string> barTexts(const window::Look& look, const session::RoleLane::Bar& bar);
/// Returns the bar's time, what it is, and who ends it, for a tooltip.
std::string barHint(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane,
                    const session::RoleLane::Bar& bar);

}  // namespace loom::panels::playback
