#pragma once

#include <string>

#include "app/widgets/context.h"
#include "core/ir/result.h"

namespace loom::panels {

/// Draws an error: its code, who forbids the step, the sentence, the line with a caret, and the remedy. A remedy that
/// is step lines gets a button that proposes them to the console; if they do what a primitive refused and the state is
/// still the current one (`here`), also a button that applies them. The line is left out if it is `shown`, the text
/// that is drawn above already. With `named`, the code is left out, because it is drawn above in words.
void drawRefusal(PanelContext& context, const Error& error, const std::string& shown, bool here = true,
                 bool named = false);

/// Draws the source line of a place in the face of code, with a caret under its column if that isn't the first; nothing
/// if the line isn't known. Of a line wider than `width` px, draws what stands around the column.
void drawSourceLine(const window::Look& look, const Place& place, float width);

/// Returns whether a remedy is step lines; otherwise it is advice in words.
bool isStepLine(const std::string& remedy);

/// Draws a remedy: a step line in the face of code, advice in words in the user's language.
void drawRemedy(const window::Look& look, const Message& remedy);

/// Draws a button that puts `lines` into the console's input and brings the console to the front.
void drawProposeButton(PanelContext& context, const std::string& lines);

}  // namespace loom::panels
