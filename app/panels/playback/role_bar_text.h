#pragma once

#include <string>
#include <vector>

#include "app/panels/playback/view/role_lanes.h"
#include "app/text/text.h"
#include "app/ui/look.h"

/// Texts on role lanes (rows that show what a group of warps, the copy engine or the tensor cores do over a block's
/// life) and on their bars.
namespace loom::panels::playback {

/// Returns the word for what warps wait for in a wait for a slot ("slot"), a turn, stores, a barrier of the block or
/// writes; null for everything else, waits for boxes and for products (of tensor cores) included.
const text::Text* awaitedOf(session::RoleDoes does);
/// Returns the name of a lane: "warps 0–3", "copy engine".
std::string laneText(const window::Look& look, const session::RoleLane& lane);
/// Returns, for a tooltip, what the lane's warps do, "warps 0–3 multiply"; for other lanes, their name.
std::string laneHint(const window::Look& look, const session::RoleLane& lane);
/// Returns the figures to the right of a lane, in percent of the block's life. For warps that load: how long they wait
/// for free slots of ring buffers; other warps that don't multiply have this figure, too. For warps that multiply: how
/// long they wait for boxes (tiles that the copy engine copies), and how long for their turn to use tensor cores or, if
/// they take no turns, how long they work on and write sums (accumulators), and wait behind writes of other warps. For
/// the copy engine and tensor cores: how long they are busy; for tensor cores also how much of that time they lose
/// because shared memory delivers the factors too slowly.
std::string figuresText(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane);
/// Returns the text on a bar: what is done or waited for, and, if the bar is about a filling of the ring buffer
/// (Bar::step), its number: "waits for box #5". A wait for a slot has no number; products and copies of boxes have
/// nothing but the number, "#5".
std::string barText(const window::Look& look, const session::RoleLane::Bar& bar);
/// Returns the texts that a bar can have, the longest one first: `barText` with whom a wait is for, "waits for writes:
/// warps 0–3", only where other warps are to end it; `barText`; and a short one, "writes", only for waits that have one
/// and for idle tensor cores.
std::vector<std::string> barTexts(const window::Look& look, const session::RoleLanes& lanes,
                                  const session::RoleLane::Bar& bar);
/// Returns the tooltip of a bar: its lane, what is done or waited for, from when to when, and, for a wait, what ends
/// it.
std::string barHint(const window::Look& look, const session::RoleLanes& lanes, const session::RoleLane& lane,
                    const session::RoleLane::Bar& bar);

}  // namespace loom::panels::playback
