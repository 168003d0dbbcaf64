#include <cstdio>

#include "app/cli/verb.h"
#ifdef TILELOOM_HAS_WINDOW
#include "app/window/workbench.h"
#endif

namespace {

loom::cli::ExitStatus openWorkbench([[maybe_unused]] const loom::cli::WorkbenchRequest& request,
                                    [[maybe_unused]] const loom::cli::CommonOptions& common) {
#ifdef TILELOOM_HAS_WINDOW
  return loom::window::openWorkbench(request, common);
#else
  std::fputs("tileloom: built without a window; `tileloom --help` lists what works in a terminal\n", stderr);
  return loom::cli::ExitStatus::kNoDisplay;
#endif
}

}  // namespace

int main(int argc, char** argv) { return static_cast<int>(loom::cli::run(argc, argv, openWorkbench)); }
