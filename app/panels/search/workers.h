#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws the queue of a search that measures on workers, and a row for each: what it holds and for how long, when that
/// is taken from it unless it says something, what it has done and lost, and why it ended last.
void drawWorkers(const window::Look& look, const session::SearchWorkers& workers);

}  // namespace loom::panels
