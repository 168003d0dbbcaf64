#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws the queue of a search that measures on workers, and a row for each worker: the job that it has and for how
/// long, in how many seconds the job is given to another worker unless this one is heard of, how many jobs it has
/// finished and lost, and why its process ended the last time.
void drawWorkers(const window::Look& look, const session::SearchWorkers& workers);

}  // namespace loom::panels
