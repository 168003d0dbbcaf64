#pragma once

#include "app/panels/space/view/space_model.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// Draws the decisions of the sketch that is shown (a schedule with open decisions, such as tile sizes), a row for each
/// with its values. A click on a value pins the decision to it in `model`, or releases the decision if it is pinned to
/// it. Requires a sketch in `model`.
void drawDecisions(PanelContext& context, session::SpaceModel& model);

/// Draws the waterfall chart, which says how many schedules each constraint removes, one constraint after the other,
/// from all combinations of the decisions' values: a strip of columns, and below it, while `isOpen` is true, a row for
/// each constraint. A click on the strip changes `isOpen`. While the schedules are being counted, and if they can't be,
/// draws a sentence that says so. Requires a sketch in `model`.
void drawWaterfall(PanelContext& context, session::SpaceModel& model, bool& isOpen);

}  // namespace loom::panels
