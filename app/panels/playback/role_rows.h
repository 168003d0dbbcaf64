#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/panels/playback/slot_rows.h"
#include "app/panels/playback/view/role_lanes.h"

/// The rows of the panel Playback for a block whose operands the copy engine (TMA) copies to shared memory and tensor
/// cores read there: a lane for each group of four warps, for the copy engine and for tensor cores, and below them the
/// slots of the ring buffers. A box is a tile that the copy engine copies by one instruction. "The life" is the time
/// from the block's start to its end, which is simulated; "a part" (ShownTime) is a span of the life.
namespace loom::panels::playback {

/// Heights in px of a lane that has one row (a lane with several is 1.6 times as high) and of the row of a slot. Slots
/// are lower than lanes if there is little room.
struct RoleHeights {
  float lane = 0, slot = 0;
};
/// Returns the heights with which all rows fit into `room` px, as far as they stay readable.
RoleHeights roleHeights(const window::Look& look, const session::RoleLanes& lanes, float room);
/// Returns the height in px of all rows together.
float heightOf(const session::RoleLanes& lanes, const RoleHeights& heights);

/// A button that shows the part of the life around the time `at`.
struct RoleMoment {
  const text::Text* name = nullptr;  ///< text of the button
  const text::Text* hint = nullptr;  ///< its tooltip
  double at = 0;                     ///< clocks since the block began
  double before = 0;                 ///< share of the part that lies before `at`, 0 to 1
};
/// Returns the buttons of a life: for its beginning; for its middle and for the change from one tile to the next, if
/// there are such; and for its end.
std::vector<RoleMoment> roleMoments(const session::RoleLanes& lanes);
/// Returns the part around a moment, without a cursor. It is so long that the time in which a slot of the first ring
/// buffer is filled once takes about 60 px (before scaling) of the `width` px, but at least four times that time; it is
/// the whole life if it would be more than 60 % of the life.
ShownTime partAround(const window::Look& look, const session::RoleLanes& lanes, const RoleMoment& moment, float width);
/// Returns the part that is shown at first: the change from one tile to the next where there is one, else the
/// beginning.
ShownTime firstPart(const window::Look& look, const session::RoleLanes& lanes, float width);
/// Returns a part moved, and shortened or lengthened, so that it lies within the life and is at least 200 clocks long
/// (or as long as the life, if that is shorter). `now` stays as it is, although it counts from the part's beginning:
/// the caller sets it afterwards.
ShownTime withinLife(const session::RoleLanes& lanes, ShownTime shown);

/// Draws all rows over the part `shown` of the life, at the place `rows`; their heights are those of `heights`, and
/// `rows.row` isn't looked at.
void drawRoleRows(const window::Look& look, const session::RoleLanes& lanes, const PipelineRows& rows,
                  const RoleHeights& heights, const ShownTime& shown);
/// Returns the tooltip for the place `y` px below the first row's top at the time `clocks` since the block began: of a
/// bar, its text; where a lane has no bar, what the lane stands for; in a slot's row, what the slot holds; empty
/// outside the rows. On a bar, sets `block` to the program's TIR block that it executes (none, if there is none);
/// elsewhere, leaves `block` as it is.
std::string roleHint(const window::Look& look, const session::RoleLanes& lanes, const RoleHeights& heights, float y,
                     double clocks, ir::Id& block);

/// Draws the key of colours below the rows: a bar of each kind beside its name, in as many lines as the width requires.
/// All waits for other things than boxes share one entry, which names these things. Where there is room, the key also
/// says what the figures beside the rows are shares of.
void drawRoleKey(const window::Look& look, const session::RoleLanes& lanes);

/// Draws the whole life as a strip in the rectangle from `from` to `to` (screen px): how busy tensor cores are, and, in
/// the colour of warnings, the time that they wait for boxes. The part `shown` is framed unless it is the whole life.
void drawRoleStrip(const window::Look& look, const session::RoleLanes& lanes, const ShownTime& shown, ImVec2 from,
                   ImVec2 to);
/// Draws the time axis of the part `shown` below the rows, in ns or µs since the block began, from x = `left` to
/// `right`, below y = `top` (screen px). Returns its height in px. Draws nothing and returns 0 if the clock rate isn't
/// known.
float drawRoleAxis(const window::Look& look, const session::RoleLanes& lanes, const ShownTime& shown, float left,
                   float right, float top);

/// What `rolesText` says besides. kAll: that the power limit lowers the clock rate, if it does, and for what share of
/// the life the same products would keep tensor cores busy at their full rate. kClock: only the former. kNone: neither,
/// and "…" instead of the share of the reasons that are left out.
enum class RolesDetail : std::uint8_t { kAll, kClock, kNone };
/// Returns a sentence on the life: "A block: 9340 clocks = 4.72 µs at 1980 MHz · tensor cores busy 61 % (55 at full
/// rate), idle 39 %: boxes 20, …", with at most `most` reasons for which tensor cores are idle, the longest first, and
/// what is left as "other 4", so that the parts add up; without any reason only how long they are idle. `detail` says
/// what else it has.
std::string rolesText(const window::Look& look, const session::RoleLanes& lanes, int most,
                      RolesDetail detail = RolesDetail::kAll);
/// Returns the share, 0 to 1, of the time for which tensor cores are idle that the longest `most` reasons leave out.
double leftOut(const session::RoleLanes& lanes, int most);
/// Returns a line each for what the words of `rolesText` alone don't explain: products that shared memory holds up, and
/// a clock rate that the power limit lowers.
std::string rolesNote(const window::Look& look, const session::RoleLanes& lanes);
/// Returns the time `clocks` since the block began, and what the lanes do then, by the first row of each lane; lanes
/// without a bar there are left out.
std::string rolesNowText(const window::Look& look, const session::RoleLanes& lanes, double clocks);
/// Returns a number of clocks as time at the clock rate of `lanes`, "812 ns", "12.40 µs"; as 0 if that isn't known.
std::string roleTimeText(const session::RoleLanes& lanes, double clocks);

}  // namespace loom::panels::playback
