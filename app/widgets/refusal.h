#pragma once

#include <string>

#include "app/widgets/context.h"
#include "core/ir/result.h"

namespace loom::panels {

/// Draws an error in place: code, who forbids, the sentence, the line with a caret, and the remedy: where it is step
/// lines, with a button that proposes them to the console and, where they do what a primitive refused and the state is
/// still on show (`here`), one that applies them. A line that says no more than `shown`, what stands above already, is
/// left out. `named`: the code stands above already, in words.
void drawRefusal(PanelContext& context, const Error& error, const std::string& shown, bool here = true,
                 bool named = false);

/// Is the remedy a line of a schedule, not advice in words?
bool isStepLine(const std::string& remedy);

/// Draws a remedy: a step line in the face of code, advice in words in the user's language.
void drawRemedy(const window::Look& look, const Message& remedy);

/// A button that hands `lines` to the console and brings that to the front.
void drawProposeButton(PanelContext& context, const std::string& lines);

}  // namespace loom::panels
