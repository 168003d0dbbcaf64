#pragma once

#include "app/widgets/context.h"

namespace loom::session {
class RuleSteps;
}

namespace loom::panels {

/// Draws the section "Rules" of the panel Plan: the rules, which write schedule steps for blocks of a certain form (as
/// in TVM's MetaSchedule), in the order in which they apply, each with the blocks that it looked at, the decisions
/// (tile sizes and the like) that it leaves open, the values that were constructed for these, without a search, and a
/// button that appends the step lines of this rule and of those before it to the schedule. All this is read from
/// `steps`. A choice of another value goes to `steps`, too, which then constructs the other values and the step lines
/// anew; only the button changes the schedule.
void drawRules(PanelContext& context, session::RuleSteps& steps);

/// Draws the checkbox by which the user allows float32 operands to be multiplied as tf32. The rules, the search and the
/// passes to tensor cores obey it. The choice is kept in the session (session::SearchRun::choice).
void drawTf32Choice(const PanelContext& context);

}  // namespace loom::panels
