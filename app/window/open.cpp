#include "app/window/open.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <sstream>

#include "app/window/workbench.h"

namespace loom::window {
namespace {

constexpr int kNoDisplay = 69;
constexpr int kUnreadable = 2;
constexpr int kCannotWrite = 74;
constexpr int kSettlingFrames = 6;
constexpr int kMeasuredFrames = 240;
constexpr int kFramesPerStep = 4;

struct Scene {
  const char* name;
  text::Language language;
  Theme theme;
  double chapter;  ///< 0 the lesson's first, 1 its last
  int scale = 100;
  const char* lines = "";  ///< applied there, line by line: what is refused fills Problems, the rest makes a branch
};

constexpr const char* kBranch =
    "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n"
    "k0, k1 = sch.split(k, [None, 16])\n"
    "sch.bind(k0, \"threadIdx.x\")\n"
    "sch.reorder(i, nowhere)\n"
    "sch.unroll(k1)";

constexpr std::array<Scene, 8> kScenes = {{{"start_en", text::Language::kEnglish, Theme::kDark, 0},
                                           {"middle_en", text::Language::kEnglish, Theme::kDark, 0.4},
                                           {"middle_zh", text::Language::kChinese, Theme::kDark, 0.4},
                                           {"end_zh", text::Language::kChinese, Theme::kDark, 1},
                                           {"end_light", text::Language::kEnglish, Theme::kLight, 1},
                                           {"large_en", text::Language::kEnglish, Theme::kDark, 0.4, 200},
                                           {"refused_en", text::Language::kEnglish, Theme::kDark, 0, 100, kBranch},
                                           {"refused_zh", text::Language::kChinese, Theme::kLight, 0, 100, ""}}};

constexpr std::chrono::seconds kLongestWait{60};

// Frames until `there` holds; false when it doesn't within a minute.
bool drawUntil(Host& host, Workbench& workbench, const std::function<bool()>& there) {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (!there()) {
    if (std::chrono::steady_clock::now() > end) return false;
    host.waitForEvents(0.01);
    workbench.frame();
  }
  return true;
}

int writeScreenshots(Host& host, Workbench& workbench, const OpenRequest& request) {
  workbench.layouts().reset();
  workbench::Workbench& model = workbench.model();
  if (!drawUntil(host, workbench, [&] { return model.target() != nullptr || model.openProblem().has_value(); }) ||
      model.target() == nullptr) {
    fmt::print(stderr, "tileloom: {}\n", model.openProblem() ? model.openProblem()->message : "nothing was opened");
    return kUnreadable;
  }
  for (const Scene& scene : kScenes) {
    workbench.settings().language = scene.language;
    workbench.settings().theme = scene.theme;
    workbench.settings().scalePercent = scene.scale;
    const auto chapters = static_cast<double>(model.target()->chapterNodes.size());
    if (chapters > 0) {
      model.goToChapter(static_cast<int>(scene.chapter * (chapters - 1) + 0.5));
    }
    std::istringstream lines(scene.lines);
    for (std::string line; std::getline(lines, line);) model.apply(line);
    const int node = model.current();
    drawUntil(host, workbench, [&] { return model.derived(node) != nullptr && model.timed(node) != nullptr; });
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
      if (i % kFramesPerStep == 0 && !model.stepBack()) {
        model.goToChapter(static_cast<int>(model.target()->chapterNodes.size()) - 1);
      }
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
    Workbench workbench(**host, {std::nullopt, std::nullopt, request.model, request.file});
    return writeScreenshots(**host, workbench, request);
  }
  Workbench workbench(**host, {settingsFolder(), request.language, request.model, request.file});
  workbench.run();
  return 0;
}

}  // namespace loom::window
