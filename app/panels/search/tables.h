#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws a table of the tiers of a search (model, compiler, device): how many schedules each tier evaluated, the time
/// that this took, and how far its predictions are off. If there are several searches, their sums are drawn.
void drawTiers(const window::Look& look, const session::SearchState& state);

/// Draws why schedules were rejected during the search: for each error code, the number of schedules and the message of
/// one of them.
void drawDeaths(const window::Look& look, const session::SearchState& state);

}  // namespace loom::panels
