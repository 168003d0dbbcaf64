#pragma once

#include "app/widgets/context.h"

namespace loom::panels {

/// Returns the height, in px, of the strip at the foot of a panel that shows a state (PanelEntry::showsState) while two
/// states are compared; 0 if none are.
float comparisonBannerHeight(const PanelContext& context);

/// Draws the strip at the cursor, as wide as there is room: it names the two states, one button exchanges them, and the
/// cross ends the comparison. Unless PanelContext::bothSides is null, a switch sets it. Requires a comparison.
void drawComparisonBanner(PanelContext& context);

}  // namespace loom::panels
