#pragma once

#include "app/panels/panel.h"
#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// How pipes and times of a block's life are drawn and named.
namespace loom::panels::playback {

/// Returns what runs at a time of a block's life, in clocks: "k_0 = 0 … 15", the names of the copies.
std::string pieceText(const session::Playback& p, double clocks);

/// Returns a number of clocks: "1524"; with one decimal below ten.
std::string clocksText(double clocks);

/// Draws the whole life as a strip in the rectangle: pieces coloured by the pipe that they wait for most.
void drawLifeStrip(const window::Look& look, const session::Playback& playback, ImVec2 from, ImVec2 to);

/// Draws the bars of a window, one row of `rowHeight` px for each pipe. `now` is the time of the cursor since the
/// window began, in clocks. The lines of barriers continue to `foot`, below the rows.
void drawBars(const window::Look& look, const session::Playback& playback, const session::PlaybackWindow& window,
              ImVec2 from, ImVec2 to, float foot, float rowHeight, double now, const std::vector<ir::Id>& selected);

/// Draws a bar's words in small type, as far as they fit between its edges, and returns from where to where they go,
/// in px; twice the same: nothing fits.
ImVec2 drawBarLabel(const window::Look& look, ImVec2 from, ImVec2 to, const std::string& text, window::Tone tone);

/// Draws a bar of dashes with words. In a row so low that the frame would cross them it is left out there.
void drawDashedBar(const window::Look& look, ImVec2 from, ImVec2 to, ImU32 colour, const std::string& text,
                   window::Tone tone);

/// Draws the axis of a window of `clocks` from `left` to `right`, below `top`: clocks since it began. Returns its
/// height in px.
float drawAxis(const window::Look& look, double clocks, float left, float right, float top);

/// Draws the cursor with its handle.
void drawCursor(const window::Look& look, float x, float top, float bottom);

}  // namespace loom::panels::playback
