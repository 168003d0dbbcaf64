#pragma once

#include "app/panels/panel.h"
#include "app/panels/playback/view/playback.h"
#include "app/ui/look.h"

/// How pipes and times of a block's life are drawn and named.
namespace loom::panels::playback {

/// What runs at that time of a block's life: "k_0 = 0 … 15", the copies' names.
std::string pieceText(const session::Playback& p, double clocks);

/// "1 524"; one digit behind the point below ten.
std::string clocksText(double clocks);

/// The whole life as a strip in the rectangle: pieces coloured by the pipe that they wait for most.
void drawLifeStrip(const window::Look& look, const session::Playback& playback, ImVec2 from, ImVec2 to);

/// The bars of a window, one row of `rowHeight` for each pipe; `now` stands since the window began. The lines of
/// barriers go on to `foot`, below the rows.
void drawBars(const window::Look& look, const session::Playback& playback, const session::PlaybackWindow& window,
              ImVec2 from, ImVec2 to, float foot, float rowHeight, double now, const std::vector<ir::Id>& selected);

/// A bar's words in small type, as far as they fit between its edges.
void drawBarLabel(const window::Look& look, ImVec2 from, ImVec2 to, const std::string& text, window::Tone tone);

/// The axis of a window of `clocks` from `left` to `right`, below `top`: clocks since it began. Returns its height.
float drawAxis(const window::Look& look, double clocks, float left, float right, float top);

/// The cursor with its handle.
void drawCursor(const window::Look& look, float x, float top, float bottom);

}  // namespace loom::panels::playback
