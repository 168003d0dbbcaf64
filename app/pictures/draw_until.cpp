#include "app/pictures/draw_until.h"

#include "app/window/shell.h"

namespace loom::window {

bool drawUntil(Host& host, Workbench& workbench, const std::function<bool()>& there, std::chrono::seconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  while (!there()) {
    if (std::chrono::steady_clock::now() > end) return false;
    host.waitForEvents(0.01);
    workbench.frame();
  }
  return true;
}

}  // namespace loom::window
