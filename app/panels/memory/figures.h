#pragma once

#include <memory>
#include <string>

#include "app/panels/panel.h"

namespace loom::session {
class ShownModel;
struct MemoryView;
}  // namespace loom::session

namespace loom::panels {

class AdviceList;

/// "4 096", "12.5": whole numbers and large ones without a fraction, else three digits.
std::string magnitudeText(double value);

/// What stands beside or below the levels of memory: budgets, advice, one k step by pipe, reuse, and the shortest time
/// that each rate allows. `other`: of the state compared with, whose figures stand beside; null: none is.
void drawMemoryFigures(PanelContext& context, const session::ShownModel& shown, AdviceList& advice,
                       const session::MemoryView* other);

}  // namespace loom::panels
