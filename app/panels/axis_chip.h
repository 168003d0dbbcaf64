#pragma once

#include <string>

#include "app/text/text.h"
#include "app/window/look.h"
#include "app/workbench/loop_nest.h"

namespace loom::panels {

window::Tone toneOf(workbench::Axis axis);
const char* letterOf(workbench::Level level);
const text::Text& wordOf(workbench::Axis axis);

/// The letters of a loop: "bx", "tyΣ", "s".
std::string lettersOf(const workbench::NestRow& loop);

/// Draws a loop's chip with its left edge at `at`, centred on `at.y`; gives its width. The form goes with the axis.
float drawAxisChip(const window::Look& look, ImVec2 at, workbench::Axis axis, const char* letters, float alpha = 1);
/// The square of a block; gives its width.
float drawBlockMark(const window::Look& look, ImVec2 at, float alpha = 1);
/// A dashed rectangle.
void drawDashed(const window::Look& look, ImVec2 from, ImVec2 to, ImU32 colour);

}  // namespace loom::panels
