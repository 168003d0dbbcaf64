#include "app/window/measure_frames.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/window/draw_until.h"

namespace loom::window {
namespace {

constexpr int kUnreadable = 2;
constexpr int kFramesPerPanel = 480;
constexpr int kFramesPerState = 3;
constexpr int kOpeningFrames = 12;

void print(const std::string& where, const FrameTimes& times, int busy) {
  fmt::print(
      "frames {:<26} {:4} drawn, {:3.0f} % of them while jobs ran: p50 {:5.2f} ms, p99 {:5.2f} ms, max {:5.2f} ms\n",
      where, times.count(), times.count() == 0 ? 0 : 100.0 * busy / double(times.count()), times.percentile(0.5),
      times.percentile(0.99), times.percentile(1));
}

// Where the time of frames went.
struct Phases {
  FrameTimes built, compared, drawn, shown, own;
  double longest = 0;        // ms, without what is handed over
  std::string longestParts;  // of that frame

  void add(double whole, const FramePhases& end, const std::string& where) {
    if (whole - end.shown > longest) {
      longest = whole - end.shown;
      longestParts = fmt::format("{:.2f} ms at {}: built {:.2f}, compared {:.2f}, drawn {:.2f}", longest, where,
                                 longest - end.compared - end.drawn, end.compared, end.drawn);
    }
    built.add(whole - end.compared - end.drawn - end.shown);
    compared.add(end.compared);
    drawn.add(end.drawn);
    shown.add(end.shown);
    own.add(whole - end.shown);
  }

  void print() const {
    auto part = [](const char* name, const FrameTimes& times) {
      return fmt::format("{} {:.2f} and {:.2f}", name, times.percentile(0.5), times.percentile(0.99));
    };
    fmt::print("frames' p50 and p99 in ms: {} ({}, {}, {}), {}\n", part("until drawn", own), part("built", built),
               part("compared", compared), part("drawn", drawn), part("handed to the display server", shown));
    fmt::print("frames' longest until drawn: {}\n", longestParts);
  }
};

}  // namespace

int measureFrames(Host& host, const WorkbenchOptions& options) {
  Workbench workbench(host, options);
  workbench.layouts().reset();
  workbench.warm();
  workbench::Workbench& model = workbench.model();
  // Until the jobs are under way: the start of a window is not what is measured.
  auto ready = [&] { return model.target() != nullptr && model.derived(model.current()) != nullptr; };
  drawUntil(host, workbench, [&] { return ready() || model.openProblem(); });
  if (!ready()) {
    fmt::print(stderr, "tileloom: {}\n", model.openProblem() ? model.openProblem()->message : "nothing was opened");
    return kUnreadable;
  }
  FrameTimes all;
  Phases phases;
  int allBusy = 0;
  for (const document::Pointer& place : document::allPlaces()) {
    model.select(static_cast<int>(model.history().nodes().size()) - 1);  // the largest state has all places
    workbench.showPlace(place);
    for (int i = 0; i < kOpeningFrames; ++i) workbench.frame();
    workbench.endOutline();
    model.selectIds({});
    const std::string where = place.target.empty() ? place.panel : place.panel + "/" + place.target;
    FrameTimes times;
    int busy = 0;
    for (int i = 0; i < kFramesPerPanel; ++i) {
      // What is done is asked for anew: frames without work beside them are not what is measured.
      if (!model.activity().busy) model.open(options.open);
      if (i % kFramesPerState == 0 && !model.stepBack()) {
        const int last = static_cast<int>(model.history().nodes().size()) - 1;
        model.select(last);
      }
      host.waitForEvents(0);
      workbench.frameTimes().clear();
      workbench.frame();
      if (!workbench.drawn()) continue;
      const double milliseconds = workbench.frameTimes().percentile(1);
      times.add(milliseconds);
      all.add(milliseconds);
      phases.add(milliseconds, host.phases(), where);
      busy += model.activity().busy ? 1 : 0;
    }
    print(where, times, busy);
    allBusy += busy;
  }
  print("in all", all, allBusy);
  phases.print();
  return 0;
}

}  // namespace loom::window
