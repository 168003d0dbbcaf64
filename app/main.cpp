#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <optional>

#include "app/cli/setup.h"
#include "app/cli/verb.h"
#ifdef TILELOOM_HAS_WINDOW
#include "app/panels/panel.h"
#include "app/pictures/screenshots.h"
#include "app/window/open.h"
#endif

namespace {

loom::cli::ExitStatus openWorkbench([[maybe_unused]] const loom::cli::WorkbenchRequest& request,
                                    [[maybe_unused]] const loom::cli::CommonOptions& common) {
#ifdef TILELOOM_HAS_WINDOW
  auto setup = loom::cli::openSetup();
  if (!setup) {
    return loom::cli::report(setup.error());
  }
  // Pictures show what is recorded, so that they look alike on every machine, but where a device is named.
  const bool measured = request.screenshots && loom::cli::wantsDevice(common);
  loom::session::Options model;
  model.assets = setup->assets;
  model.check = true;
  model.model = common.model;
  model.bench = loom::cli::benchOptions(*setup, common, !request.screenshots || measured);
  const std::optional<loom::text::Language> language =
      common.lang.empty() ? std::nullopt : std::optional(loom::text::languageOf(common.lang));
  if (!request.screenshots) {
    model.dataFolder = loom::gpu::ResultDatabase::defaultFile().parent_path();
    model.measureAll = true;
    loom::window::OpenRequest open;
    open.language = language;
    open.model = model;
    open.width = request.width;
    open.height = request.height;
    if (request.file) open.file = *request.file;
    return static_cast<loom::cli::ExitStatus>(loom::window::open(open));
  }
  model.bench.database.clear();
  loom::window::ScreenshotRequest pictures;
  if (measured) {
    model.measureAll = true;
  } else {
    model.bench.device = "none";
    if (request.frames) {
      pictures.frames = model;
      pictures.frames->bench.cubinCache.clear();  // what is kept would be no work
    }
  }
  pictures.folder = *request.screenshots;
  pictures.language = language;
  pictures.model = model;
  pictures.width = request.width;
  pictures.height = request.height;
  pictures.measured = measured;
  pictures.beside = request.beside;
  if (request.file) pictures.file = *request.file;
  if (!request.panels.empty()) {
    pictures.panels = {request.panels,       request.states, loom::notation::themeOf(request.theme),
                       request.scalePercent, request.beside, request.check,
                       request.trials};
  }
  return static_cast<loom::cli::ExitStatus>(loom::window::takeScreenshots(pictures));
#else
  std::fputs("tileloom: built without a window; `tileloom --help` lists what works in a terminal\n", stderr);
  return loom::cli::ExitStatus::kNoDisplay;
#endif
}

// Where a stream was closed by who started us, the next file opened would take its number. What is written to a closed
// stdout is still a failed write, as nothing can be written to what stands in for it; of a closed stderr nobody asks.
void keepStreamsOpen() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    const int made = open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (made >= 0 && made != stream) dup2(made, stream), close(made);
  }
}

}  // namespace

int main(int argc, char** argv) {
  keepStreamsOpen();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone is a failed write, too, whatever the verb
  std::signal(SIGXFSZ, SIG_IGN);  // a file past the limit is a failed write, which is told, and no end of the program
#ifdef TILELOOM_HAS_WINDOW
  loom::panels::declarePointablePanels();
#endif
  return static_cast<int>(loom::cli::run(argc, argv, openWorkbench));
}
