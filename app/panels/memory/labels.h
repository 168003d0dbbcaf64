#pragma once

#include <imgui.h>

#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/ui/palette.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a line of text whose upper left corner is `at` (px of the screen), shortened with "…" to `room` px. If the
/// text was shortened, its tooltip shows `whole`, or all of `text` if `whole` is empty. `tone` is its colour. `font`
/// and `size` are as for ImGui::PushFont: null is the current font, and the size is in px before scaling.
void drawLabel(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone,
               ImFont* font, float size, const std::string& whole = "");
/// Draws `text`, a number with its unit, like `drawLabel`, in the text font at its smallest size (kUnitSize of look.h).
void drawFigure(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone);
/// Returns the width in px that `drawFigure` needs for `text`.
float figureWidth(const window::Look& look, const std::string& text);

/// Returns `text`, an amount with an arrow for its direction ("↑ 512 KiB"), in the longest form in which `drawFigure`
/// needs at most `room` px: as it is, with narrower blanks, or without the arrow; the shortest one if none fits.
/// `beside` is the amount of the opposite direction, which has another `room` px of its own and must fit there in the
/// same form; a call with the two exchanged returns that text. Empty: there is none.
std::string closeFigure(const window::Look& look, const std::string& text, float room, const std::string& beside);

/// Draws an amount with its unit ("512 KiB") on one line with the upper left corner `at` (px of the screen) if it fits
/// `room` px, with a narrower blank if that is needed. Else draws the number above the unit, on two lines that are
/// centred on where the one line would be: the upper line begins about half a line above `at`; each is shortened like a
/// label if it needs more than `room`. Text without a blank is drawn like `drawFigure`.
void drawAmount(const window::Look& look, ImVec2 at, float room, const std::string& text, window::Tone tone);

/// Returns a text on an array of mbarriers: when a phase of them completes, and which warps wait for it and arrive.
std::string mbarrierText(const window::Look& look, const session::MemoryMbarrier& mbarrier);

}  // namespace loom::panels
