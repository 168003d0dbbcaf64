#pragma once

#include <memory>

#include "app/window/host.h"

namespace loom::window {

/// Returns a host (a window with a Dear ImGui context) for a test. It uses the operating system's window of the test
/// before, whose host must be gone, if that has the same size, and else closes it, because opening one and compiling
/// OpenGL shaders takes a quarter of a test's time, and Mesa can open only some two hundred in a process. Error
/// "NoDisplay" if no window can be opened.
Result<std::unique_ptr<Host>> openHost(const HostOptions& options);

/// Closes the window that `openHost` has kept, if any. No host may be using it.
void closeKeptWindow();

}  // namespace loom::window
