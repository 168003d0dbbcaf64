#include "app/pictures/screenshots.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "app/pictures/draw_until.h"
#include "app/pictures/frame_times.h"
#include "app/pictures/scenes.h"
#include "app/window/open.h"
#include "app/window/shell.h"

namespace loom::window {
namespace {

constexpr int kSettlingFrames = 6;
constexpr std::chrono::seconds kLongestMeasurement{1200};

// Draws what the window shows into a file of the folder. An exit status.
int writePicture(Host& host, Workbench& workbench, const ScreenshotRequest& request, const std::string& name) {
  Image picture;
  for (int i = 0; i < kSettlingFrames; ++i) {
    host.waitForEvents(0);
    workbench.frame(&picture);
  }
  const std::filesystem::path path = std::filesystem::path(request.folder) / (name + ".png");
  if (const Message error = writeWhole(path, encodePng(picture)); !error.empty()) {
    fmt::print(stderr, "tileloom: can't write {}: {}\n", path.string(), error);
    return kCannotWrite;
  }
  fmt::print("{}\n", path.string());
  return 0;
}

// Until every state of the target is measured; a picture is taken while that is under way.
int waitForMeasurements(Host& host, Workbench& workbench, const ScreenshotRequest& request) {
  session::Session& model = workbench.model();
  const std::string name = "live_" + model.documents().target()->lessonName;
  int status = 0;
  drawUntil(host, workbench, [&] {
    return model.activity().kind == session::BackgroundStatus::Kind::kMeasuring ||
           model.modelDevice().status().problem;
  });
  if (model.activity().kind == session::BackgroundStatus::Kind::kMeasuring) {
    status = writePicture(host, workbench, request, name);
  }
  drawUntil(
      host, workbench, [&] { return !model.activity().busy; }, kLongestMeasurement);
  return status;
}

int writeScenes(Host& host, Workbench& workbench, const ScreenshotRequest& request) {
  session::Session& model = workbench.model();
  std::uint64_t measured = model.opened() + 1;  // which opening has been measured: none
  for (const Scene& scene : scenes()) {
    const std::uint64_t opened = model.opened();
    const bool another = *scene.target != 0 && model.documents().target()->lessonName != scene.target;
    if (another) {
      model.documents().open(scene.target);
      drawUntil(host, workbench,
                [&] { return model.opened() != opened || model.documents().openProblem().has_value(); });
      if (model.documents().openProblem()) continue;  // this program has no such lesson
    }
    if (request.measured && model.opened() != measured) {
      measured = model.opened();
      if (const int status = waitForMeasurements(host, workbench, request); status != 0) return status;
    }
    set(workbench, scene);
    const int node = model.navigation().current();
    drawUntil(host, workbench,
              [&] { return model.programs().of(node) != nullptr && model.results().timed(node) != nullptr; });
    drawUntil(
        host, workbench, [&] { return model.models().isFinal(node); }, kLongestModel);
    if (scene.layout == std::string_view("machine")) {
      drawUntil(
          host, workbench, [&] { return model.compilations().ptx(node) != nullptr || model.compilations().problem(); },
          kLongestModel);
    }
    // Times of all states, so that the same picture comes every time.
    const int last = static_cast<int>(model.navigation().history().nodes().size()) - 1;
    for (int i = 0; i <= last; ++i) {
      drawUntil(host, workbench,
                [&] { return model.results().timed(i) != nullptr || model.navigation().history().node(i).deleted; });
    }
    if (const int status = writePicture(host, workbench, request, scene.name); status != 0) return status;
  }
  return 0;
}

int writeScreenshots(Host& host, Workbench& workbench, const ScreenshotRequest& request) {
  workbench.layouts().reset();
  const session::Session& model = workbench.model();
  if (!drawUntil(
          host, workbench,
          [&] { return model.documents().target() != nullptr || model.documents().openProblem().has_value(); }) ||
      model.documents().target() == nullptr) {
    fmt::print(stderr, "tileloom: {}\n",
               model.documents().openProblem() ? model.documents().openProblem()->message : "nothing was opened");
    return kUnreadable;
  }
  return request.panels ? writePanelPictures(host, workbench, *request.panels, request.folder)
                        : writeScenes(host, workbench, request);
}

}  // namespace

int takeScreenshots(const ScreenshotRequest& request) {
  HostOptions options;
  options.waitForScreen = false;
  options.width = request.width;
  options.height = request.height;
  auto host = Host::open(options);
  if (!host) {
    fmt::print(stderr, "tileloom: {}\n", host.error().message);
    return kNoDisplay;
  }
  // Pictures look alike on every machine: nothing of the user's settings enters them.
  const int status = [&] {
    const auto language = request.panels ? request.language : std::nullopt;
    Workbench workbench(**host, {std::nullopt, language, request.model, request.file});
    return writeScreenshots(**host, workbench, request);
  }();
  if (status != 0 || !request.frames) return status;
  host->reset();  // one window at a time
  options.timePhases = true;
  host = Host::open(options);
  return host ? measureFrames(**host, {std::nullopt, std::nullopt, *request.frames, request.file}, request.beside)
              : kNoDisplay;
}

}  // namespace loom::window
