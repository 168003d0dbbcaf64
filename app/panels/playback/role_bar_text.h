#pragma once

#include <string>
#include <vector>

#include "app/panels/playback/view/role_lanes.h"
#include "app/text/text.h"
#include "app/ui/look.h"

/// Texts on role lanes (rows that show what a group of warps, the copy engine or the tensor cores do over a block's
/// life) and on their bars.
namespace loom::panels::playback {

/// Returns the word for what warps wait for, "slot", for the waits that are neither for boxes nor for products; null
/// for everything else.
const text::Text* awaitedOf(session::RoleDoes does);
/// Returns the name of a lane: "warps 0–3", "copy engine".
std::string laneText(const window::Look& look, const session::RoleLane& lane);
/// Returns, for a tooltip, what the lane's warps do, "warps 0–3 multiply"; for other lanes, their name.
std::string laneHint(const window::Look& look, const session::RoleLane& lane);
/// Returns the figures to the right of a lane, in percent of the block's life. For warps that load: how long they wait
/// for free slots of ring buffers. For warps that multiply: how long they wait for boxes (tiles that the copy engine
/// copies), and how long for their turn to use tensor cores or, if they take no turns, how long they work on and write
/// sums (accumulators), and wait behind writes of other warps. For the copy engine and tensor cores: how long they are
/// busy, and of tensor cores, for how much of it shared memory holds products up.
std::string figuresText(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane);
/// Returns the text on a bar: what is done or waited for, and the number of the k block (the filling of the ring
/// buffer), if it is about one and no wait for a slot: "waits for box #5". For products and copies of boxes, returns
/// the number alone, "#5".
std::string barText(const window::Look& look, const session::RoleLane::Bar& bar);
/// Returns the texts that a bar can have, one to three, the longest one first: `barText` with whom a wait is for, where
/// other warps are to end it, "waits for writes: warps 0–3"; `barText`; and a short one, "writes".
std::vector<std::string> barTexts(const window::Look& look, const session::RoleLanes& lanes,
                                  const session::RoleLane::Bar& bar);
/// Returns the tooltip of a bar: its lane, what is done or waited for, from when to when, and, for a wait, what ends
/// it.
std::string barHint(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane,
                    const session::RoleLane::Bar& bar);

}  // namespace loom::panels::playback
