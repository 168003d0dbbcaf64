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

/// Returns a number: whole numbers and large ones without a fraction, else with three digits: "4096", "12.5".
std::string magnitudeText(double value);

/// Draws what stands beside or below the levels of memory: budgets, advice, one k step by pipe, reuse, and the shortest
/// time that each rate allows. `other` is the state that is compared with, whose figures stand beside; null: none is.
void drawMemoryFigures(PanelContext& context, const session::ShownModel& shown, AdviceList& advice,
                       const session::MemoryView* other);

}  // namespace loom::panels
