#pragma once

#include <string>
#include <vector>

#include "app/panels/playback/slot_rows.h"
#include "app/panels/playback/view/role_lanes.h"

/// The rows of a block whose copies go by the copy engine to tensor cores: groups of warps, the copy engine, tensor
/// cores, and the slots of rings.
namespace loom::panels::playback {

/// Heights of rows, px: slots are lower than lanes where there is little room.
struct RoleHeights {
  float lane = 0, slot = 0;
};
/// Returns the heights with which all rows fit into `room` px, as far as they stay readable.
RoleHeights roleHeights(const window::Look& look, const session::RoleLanes& lanes, float room);
float heightOf(const session::RoleLanes& lanes, const RoleHeights& heights);

/// A part of the life that is worth a look, and its button's words; `at` is in clocks since the block began.
struct RoleMoment {
  const text::Text* name = nullptr;
  const text::Text* hint = nullptr;
  double at = 0;
  double before = 0;  ///< of the part shown, the share that lies before `at`
};
std::vector<RoleMoment> roleMoments(const session::RoleLanes& lanes);
/// Returns the part around a moment, long enough for bars of steps that can be told apart on `width` px.
ShownTime partAround(const window::Look& look, const session::RoleLanes& lanes, const RoleMoment& moment, float width);
/// Returns the part that is shown at first: the change from one tile to the next where there is one, else the
/// beginning.
ShownTime firstPart(const window::Look& look, const session::RoleLanes& lanes, float width);
/// Keeps a part within the life.
ShownTime withinLife(const session::RoleLanes& lanes, ShownTime shown);

void drawRoleRows(const window::Look& look, const session::RoleLanes& lanes, const PipelineRows& rows,
                  const RoleHeights& heights, const ShownTime& shown);
/// Returns what stands `y` px below the first row's top at a time of the block's life, as words of a tooltip; empty
/// where nothing does. `block` becomes the block of the program there, or none.
std::string roleHint(const window::Look& look, const session::RoleLanes& lanes, const RoleHeights& heights, float y,
                     double clocks, ir::Id& block);

/// Draws the key below the rows: a bar of each kind beside its name, in as many lines as the width requires.
void drawRoleKey(const window::Look& look);

/// Draws the life as a strip: how busy tensor cores are, and, in the colour of warnings, the time that they wait for
/// boxes. The part that is shown below is framed.
void drawRoleStrip(const window::Look& look, const session::RoleLanes& lanes, const ShownTime& shown, ImVec2 from,
                   ImVec2 to);
/// Draws the axis below the rows: time since the block began. Returns its height in px.
float drawRoleAxis(const window::Look& look, const session::RoleLanes& lanes, const ShownTime& shown, float left,
                   float right, float top);

/// Returns a sentence on the life: "A block's life: 9340 clocks = 4.72 µs at 1980 MHz · tensor cores busy 61 %, idle
/// 39 %: boxes 20, …", with at most `most` reasons, the longest first.
std::string rolesText(const window::Look& look, const session::RoleLanes& lanes, int most);
/// Returns what each lane does at a time of the block's life.
std::string rolesNowText(const window::Look& look, const session::RoleLanes& lanes, double clocks);
/// Returns a time of the life: "812 ns", "12.40 µs".
std::string roleTimeText(const session::RoleLanes& lanes, double clocks);

}  // namespace loom::panels::playback
