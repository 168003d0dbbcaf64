#pragma once

#include "app/widgets/context.h"

namespace loom::panels {

/// Returns the height, in px, of the strip at the foot of a panel that shows a state, that is, the program after some
/// schedule steps (PanelEntry::showsState), while two states are compared; 0 if none are.
float comparisonBannerHeight(const PanelContext& context);

/// Draws the strip at the ImGui cursor, in the available width. The strip names the two states; one button exchanges
/// them, and another, a cross, ends the comparison. Unless PanelContext::bothSides is null, a switch changes that
/// option, by which panels draw both states beside each other. Two states must be compared.
void drawComparisonBanner(PanelContext& context);

}  // namespace loom::panels
