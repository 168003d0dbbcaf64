#pragma once

#include "app/window/host.h"
#include "app/window/shell.h"

namespace loom::window {

/// Walks through the states of what is opened, with each panel and part of one in front in turn, while the workbench's
/// jobs run, and prints how long the frames took: a line for each panel, and one for all. Only frames that were drawn
/// count, with all that is derived from their state there: those that look like the one before, or have panels that
/// wait, cost less. `beside`: a state that panels draw beside each; −1: none. Gives the program's exit status: 0, or 2
/// when nothing could be opened.
int measureFrames(Host& host, const WorkbenchOptions& options, int beside);

}  // namespace loom::window
