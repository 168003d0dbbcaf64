#pragma once

#include <string>

#include "app/widgets/context.h"
#include "core/ir/result.h"

namespace loom::panels {

/// Draws an error: its code, who forbids the step (the program, the hardware, TVM …) and for which parameter, its
/// sentence, the source line as `drawSourceLine` draws it, and the remedy; a remedy that calls a primitive which the
/// workbench doesn't have is left out. A remedy that consists of step lines gets a button that puts them into the
/// console; if a primitive refused the step and `here` is true, that is, the state is still the current one, it also
/// gets a button that applies them. The source line is left out if the error's place isn't beyond the line's first
/// column and `shown`, the text that the caller has drawn above ("" if none), ends with the line. If `named` is true,
/// the code is left out, because the caller has named the error in words.
void drawRefusal(PanelContext& context, const Error& error, const std::string& shown, bool here = true,
                 bool named = false);

/// Draws the source line of a place in the code font, with a caret under the place's column if that isn't the first.
/// Draws nothing if the line isn't known. If the line is wider than `width` px, draws only the part around the column.
void drawSourceLine(const window::Look& look, const Place& place, float width);

/// Returns whether a remedy, given by its English text, consists of step lines; otherwise it is advice in words.
bool isStepLine(const std::string& remedy);

/// Draws a remedy: step lines in the code font, or advice in words in the user's language.
void drawRemedy(const window::Look& look, const Message& remedy);

/// Draws a button that puts `lines` into the console's input and brings the console to the front.
void drawProposeButton(PanelContext& context, const std::string& lines);

}  // namespace loom::panels
