#pragma once

#include <memory>
#include <string>

#include "app/panels/panel.h"

namespace loom::workbench {
struct StateModel;
}

namespace loom::panels {

class AdviceList;

/// "4 096", "12.5": whole numbers and large ones without a fraction, else three digits.
std::string magnitudeText(double value);

/// What stands beside or below the levels of memory: advice, budgets, one k step by pipe, reuse, and the shortest time
/// that each rate allows.
void drawMemoryFigures(PanelContext& context, const std::shared_ptr<const workbench::StateModel>& model,
                       AdviceList& advice);

}  // namespace loom::panels
