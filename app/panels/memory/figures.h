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

/// Returns a finite number as text, without a unit. A whole number, and any number from 100 on, is rounded and written
/// as a count (notation::countText): "4096", and from 100 000 on with three digits and a prefix, "1.07 G". Any other
/// number gets three significant digits: "12.5".
std::string magnitudeText(double value);

/// Draws the tables beside or below the picture of the memory levels at the ImGui cursor: what a multiprocessor's
/// resources allow, advice, clusters, mbarriers, the clocks of one iteration of the loop over k by pipe, the reuse of
/// buffers, and the shortest time that each rate of the device allows. `shown` must have a model. `advice` is the list
/// of advice to draw. Draws nothing if the program isn't a kernel (MemoryView::kernel), except that the list is drawn
/// while panels preview the step of one of its buttons. `other` is the memory view of the program that this one is
/// compared with, whose figures stand beside those of this one where they differ; null: no comparison.
void drawMemoryFigures(PanelContext& context, const session::ShownModel& shown, AdviceList& advice,
                       const session::MemoryView* other);

}  // namespace loom::panels
