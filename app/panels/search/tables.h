#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws how many schedules each tier of the search looked at, what that took, and how far its predictions are off. Of
/// several searches their sum.
void drawTiers(const window::Look& look, const session::SearchState& state);

/// Draws what schedules died of: how many, the code, and the sentence of one of them.
void drawDeaths(const window::Look& look, const session::SearchState& state);

}  // namespace loom::panels
