#pragma once

#include "app/session/search_run.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws the state of a search whose schedules are measured by workers (processes on this or other machines): the queue
/// of jobs, and a row for each worker. The row says which job the worker runs and for how long, in how many seconds the
/// job is given to another worker unless this one reports, how many jobs the worker has finished and lost, and why its
/// process ended the last time.
void drawWorkers(const window::Look& look, const session::SearchWorkers& workers);

}  // namespace loom::panels
