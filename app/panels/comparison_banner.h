#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// While two states are compared: a strip that says which, with a button that ends it, above what the panel draws.
/// Nothing in panels that show no state.
void drawComparisonBanner(PanelContext& context, const char* panel);

}  // namespace loom::panels
