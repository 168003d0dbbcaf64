#pragma once

#include <string>

#include "app/notation/palette.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

/// Hardware axes and memory levels as colours, letters and words.
namespace loom::notation {

Tone toneOf(workbench::Axis axis);
/// "bx", "tyΣ": stands beside the colour of the loop.
std::string lettersOf(const workbench::NestRow& loop);
/// "G", "S", "R".
const char* letterOf(workbench::Level level);
/// "G→S" of a copy. Of a block that computes, from where it reads to where it writes: "G+S→R", its operands in
/// registers not named where it reads others. Empty where nothing outside registers is moved.
std::string routeText(const workbench::NestRow& row);
const text::Text& wordOf(workbench::Axis axis);

}  // namespace loom::notation
