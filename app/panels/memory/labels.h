#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/ui/palette.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a line of text from its upper left corner `at` on, cut to `room` px; where it was cut, the hover shows all of
/// it, or `whole` instead where that is not empty.
void drawLabel(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone,
               ImFont* font, float size, const std::string& whole = "");
/// Draws a figure in the text font at the size of units, as beside arrows and in boxes.
void drawFigure(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone);
/// Returns the width of such a figure, px.
float figureWidth(const window::Look& look, const std::string& text);

/// Returns a figure that fits `room` px if that can be had: "↑ 512 KiB" with narrower blanks, then without the arrow,
/// since above is down and below is up. `beside`: the figure of the other direction, which is written alike; empty:
/// there is none.
std::string closeFigure(const window::Look& look, const std::string& text, float room, const std::string& beside);

/// Draws an amount and its unit: in one line, with a narrower blank between them where that is too long, and one below
/// the other where both are.
void drawAmount(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone);

/// Returns a line on when a phase of the mbarriers ends, and who waits and arrives.
std::string mbarrierText(const window::Look& look, const session::MemoryMbarrier& mbarrier);

}  // namespace loom::panels
