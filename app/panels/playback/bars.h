#pragma once

#include "app/panels/panel.h"
#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// Drawing and texts of the time line of a thread block's life, with a row of bars for each pipe. The functions draw
/// into the current ImGui window.
namespace loom::panels::playback {

/// Returns the name of the piece of a block's life at a time, in clocks since the block began: the range of its loop,
/// "k_0 = 0 … 15", or, for a phase (the part between two barriers), the names of its actions. Times after the end are
/// in the last piece; empty before 0 and if the life has no pieces.
std::string pieceText(const session::Playback& p, double clocks);

/// Returns a number of clocks: "1524"; with one decimal below ten, and in thousands or millions from 100 000 on, "152
/// k".
std::string clocksText(double clocks);

/// Draws the whole life as a strip in the rectangle from `from` to `to` (screen px). Each piece has the colour of the
/// pipe that adds the most to its time. Draws nothing for a life without pieces.
void drawLifeStrip(const window::Look& look, const session::Playback& playback, ImVec2 from, ImVec2 to);

/// Draws the bars of a window (the part of the life that is drawn enlarged), which is as long as the rectangle from
/// `from` to `to` (screen px) is wide, one row of `rowHeight` px below the other for each pipe. `now` is the time of
/// the cursor since the window began, in clocks, below 0 if there is no cursor; bars that it lies in are less
/// transparent. The lines of barriers continue to y = `foot`, below the rows. Bars of the TIR blocks in `selected` are
/// highlighted.
void drawBars(const window::Look& look, const session::Playback& playback, const session::PlaybackWindow& window,
              ImVec2 from, ImVec2 to, float foot, float rowHeight, double now, const std::vector<ir::Id>& selected);

/// Draws the text of a bar in small type, as far as it fits between the bar's corners `from` and `to` (screen px).
/// Returns the x coordinates of the text's left and right edge, in screen px; both are equal if nothing fits.
ImVec2 drawBarLabel(const window::Look& look, ImVec2 from, ImVec2 to, const std::string& text, window::Tone tone);

/// Draws a bar with the corners `from` and `to` (screen px), a dashed frame in `colour` and a text in `tone`. In a row
/// so low that the frame would cross the text, the frame is left out behind the text.
void drawDashedBar(const window::Look& look, ImVec2 from, ImVec2 to, ImU32 colour, const std::string& text,
                   window::Tone tone);

/// Draws the time axis of a window that is `clocks` long (above 0), in clocks since the window began. The axis runs
/// from x = `left` to `right`, below y = `top` (screen px). Returns its height in px.
float drawAxis(const window::Look& look, double clocks, float left, float right, float top);

/// Draws the cursor as a line at `x` from `top` to `bottom` (screen px), with its handle.
void drawCursor(const window::Look& look, float x, float top, float bottom);

}  // namespace loom::panels::playback
