#include "app/window/open.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/window/shell.h"

namespace loom::window {

int open(const OpenRequest& request) {
  HostOptions options;
  options.waitForScreen = true;
  options.width = request.width;
  options.height = request.height;
  auto host = Host::open(options);
  if (!host) {
    fmt::print(stderr, "tileloom: {}\n", host.error().message);
    return kNoDisplay;
  }
  Workbench workbench(**host, {settingsFolder(), request.language, request.model, request.file});
  workbench.run();
  return 0;
}

}  // namespace loom::window
