#pragma once

#include "app/widgets/context.h"

namespace loom::session {
class RuleSteps;
}

namespace loom::panels {

/// Draws the section "Rules" of the panel Plan: the rules in their order, each with what it looked at, the decisions
/// that it opens with the values that were constructed for them, and a button that appends its lines.
void drawRules(PanelContext& context, session::RuleSteps& steps);

/// Draws the box by which the user allows float32 to be multiplied as tf32, which rules, search and passes obey.
void drawTf32Choice(const PanelContext& context);

}  // namespace loom::panels
