#include "tests/gui/kept_window.h"

#include <GLFW/glfw3.h>

#include <utility>

namespace loom::window {
namespace {

struct Kept {
  std::shared_ptr<SystemWindow> window;
  int width = 0, height = 0;
};
Kept kept;

// A test may have changed the window that it leaves.
void restore(const Kept& k, const HostOptions& options) {
  glfwSetWindowShouldClose(k.window->handle(), GLFW_FALSE);
  glfwSetWindowTitle(k.window->handle(), options.title.c_str());
  glfwSetCursorPos(k.window->handle(), 0, 0);
  glfwPollEvents();
}

bool hasItsSize(const Kept& k) {
  int width = 0, height = 0;
  glfwGetWindowSize(k.window->handle(), &width, &height);
  return width == k.width && height == k.height;
}

}  // namespace

Result<std::unique_ptr<Host>> openHost(const HostOptions& options) {
  if (kept.window && (kept.width != options.width || kept.height != options.height || !hasItsSize(kept))) closeKeptWindow();
  if (kept.window) {
    restore(kept, options);
  } else {
    auto opened = SystemWindow::open(options);
    if (!opened) return Failure(opened.error());
    kept = {std::move(*opened), options.width, options.height};
  }
  return Host::open(options, kept.window);
}

void closeKeptWindow() { kept = {}; }

}  // namespace loom::window
