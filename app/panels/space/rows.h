#pragma once

#include "app/panels/space/view/space_model.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// Draws the decisions of the shown sketch, a row each, and pins what is clicked.
void drawDecisions(PanelContext& context, session::SpaceModel& model);

/// Draws how each constraint shrinks the space: a strip of columns, and below it, where that is open, a row each.
void drawWaterfall(PanelContext& context, session::SpaceModel& model, bool& isOpen);

}  // namespace loom::panels
