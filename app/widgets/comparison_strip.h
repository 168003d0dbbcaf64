#pragma once

#include "app/widgets/context.h"

namespace loom::panels {

/// Height of the strip at the foot of a panel while two states are compared; 0: none, or the panel shows no state.
float comparisonBannerHeight(const PanelContext& context, const char* panel);

/// The strip, at the cursor: says which states are compared; a click exchanges them, its cross ends it.
void drawComparisonBanner(PanelContext& context);

}  // namespace loom::panels
