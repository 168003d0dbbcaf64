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

/// Returns a number as text: a whole or large number without a fraction, another one with three digits: "4096", "12.5".
std::string magnitudeText(double value);

/// Draws the tables beside or below the picture of the memory levels: what a multiprocessor's resources allow, advice,
/// the clocks of one iteration of the loop over k by pipe, the reuse of buffers, and the shortest time that each rate
/// of the device allows. `other` is the memory view of the state compared with, whose figures are added; null: no
/// comparison.
void drawMemoryFigures(PanelContext& context, const session::ShownModel& shown, AdviceList& advice,
                       const session::MemoryView* other);

}  // namespace loom::panels
