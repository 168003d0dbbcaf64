#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws a table of the tiers of a search: the counted space of schedules, the formula that ranks groups of schedules,
/// the model of the program as written, the model of the machine code, and the device. A row has how many schedules
/// (for the formula: groups) the tier evaluated, the time that this took, and, for formula and models, the median of
/// |predicted / measured − 1| in percent. If `state` has several searches (SearchState::searches), counts and times are
/// summed over them, except that the number of groups is the largest one, and the error is the median of the searches'
/// errors. `state.prepared` must not be null.
void drawTiers(const window::Look& look, const session::SearchState& state);

/// Draws why schedules were rejected (their deaths) during the searches: for each error code, the number of schedules
/// and the message of one of them; or a sentence that none was rejected.
void drawDeaths(const window::Look& look, const session::SearchState& state);

}  // namespace loom::panels
