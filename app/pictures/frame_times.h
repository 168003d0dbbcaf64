#pragma once

#include "app/window/host.h"
#include "app/window/shell.h"

namespace loom::window {

/// Measures frame times and prints them on stdout in ms (median, 99th percentile, longest): a line for each panel or
/// part of a panel, and lines for all together. `host` must be open with HostOptions::timePhases, so that the times of
/// drawing and of handing the picture to the display server are known apart. For each panel in turn, the function
/// brings it to the front and goes from state to state (the program after each step of its schedule) of the target that
/// `options` opens, while background jobs lower and compile the states. Frames count only if they were drawn and the
/// current state's program had been made, since others cost less. `beside` is the index of a state that panels draw
/// beside the current one; −1: none. Returns the exit status of the program: 0, or 2 if nothing could be opened.
int measureFrames(Host& host, const WorkbenchOptions& options, int beside);

}  // namespace loom::window
