#pragma once

#include <string>
#include <vector>

#include "app/panels/playback/view/role_lanes.h"
#include "app/ui/look.h"

/// What lanes of roles and their bars are called.
namespace loom::panels::playback {

/// "warps 0–3", "copy engine"
std::string laneText(const window::Look& look, const session::RoleLane& lane);
/// What the lane's agent is there for, as words of a tooltip.
std::string laneHint(const window::Look& look, const session::RoleLane& lane);
/// To the right of a lane: what it waits for, or how busy it is.
std::string figuresText(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane);
/// On a bar: "waits for box #5".
std::string barText(const window::Look& look, const session::RoleLane::Bar& bar);
/// The same in ever fewer words, where there are: "#5".
std::vector<std::string> barTexts(const window::Look& look, const session::RoleLane::Bar& bar);
/// The bar's time, what it is, and who ends it, as words of a tooltip.
std::string barHint(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane,
                    const session::RoleLane::Bar& bar);

}  // namespace loom::panels::playback
