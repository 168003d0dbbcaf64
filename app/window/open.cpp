#include "app/window/open.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "app/window/workbench.h"

namespace loom::window {
namespace {

constexpr int kNoDisplay = 69;
constexpr int kCannotWrite = 74;
constexpr int kSettlingFrames = 6;
constexpr int kMeasuredFrames = 240;

struct Scene {
  const char* name;
  text::Language language;
  Theme theme;
};

constexpr std::array<Scene, 3> kScenes = {{{"workbench_en", text::Language::kEnglish, Theme::kDark},
                                           {"workbench_zh", text::Language::kChinese, Theme::kDark},
                                           {"workbench_light", text::Language::kEnglish, Theme::kLight}}};

int writeScreenshots(Host& host, Workbench& workbench, const OpenRequest& request) {
  workbench.layouts().reset();
  for (const Scene& scene : kScenes) {
    workbench.settings().language = scene.language;
    workbench.settings().theme = scene.theme;
    Image picture;
    for (int i = 0; i < kSettlingFrames; ++i) {
      host.waitForEvents(0);
      workbench.frame(&picture);
    }
    const std::filesystem::path path = std::filesystem::path(*request.screenshots) / (std::string(scene.name) + ".png");
    if (const std::string error = writeWhole(path, encodePng(picture)); !error.empty()) {
      fmt::print(stderr, "tileloom: can't write {}: {}\n", path.string(), error);
      return kCannotWrite;
    }
    fmt::print("{}\n", path.string());
  }
  if (request.frames) {
    FrameTimes& times = workbench.frameTimes();
    times.clear();
    for (int i = 0; i < kMeasuredFrames; ++i) {
      host.waitForEvents(0);
      workbench.frame();
    }
    fmt::print("frames: {} p50 {:.2f} ms, p99 {:.2f} ms, max {:.2f} ms\n", times.count(), times.percentile(0.5),
               times.percentile(0.99), times.percentile(1));
  }
  return 0;
}

}  // namespace

int open(const OpenRequest& request) {
  HostOptions options;
  options.waitForScreen = !request.screenshots;
  auto host = Host::open(options);
  if (!host) {
    fmt::print(stderr, "tileloom: {}\n", host.error().message);
    return kNoDisplay;
  }
  if (request.screenshots) {
    // Pictures look alike on every machine: nothing of the user's settings enters them.
    Workbench workbench(**host, {});
    return writeScreenshots(**host, workbench, request);
  }
  Workbench workbench(**host, {settingsFolder(), request.language});
  workbench.run();
  return 0;
}

}  // namespace loom::window
