#pragma once

#include <memory>

#include "app/window/host.h"

namespace loom::window {

/// A host for a test. The system's window is that of the test before, where that had one of the same size: to open one, and
/// to compile what OpenGL draws with anew, took a quarter of the tests' time, and Mesa opens some two hundred in a process.
Result<std::unique_ptr<Host>> openHost(const HostOptions& options);

/// Closes the window that `openHost` has kept, if any. No host has it any longer.
void closeKeptWindow();

}  // namespace loom::window
