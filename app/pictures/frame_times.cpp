#include "app/pictures/frame_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "app/pictures/draw_until.h"

namespace loom::window {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFramesPerPlace = 400;
constexpr std::chrono::seconds kLongestPlace{20};
constexpr int kFramesPerState = 3;                   // with all that the state has to show
constexpr std::chrono::milliseconds kPatience{400};  // for a state's own, before the next
constexpr int kOpeningFrames = 12;

std::string percentiles(const FrameTimes& times) {
  return fmt::format("p50 {:5.2f} ms, p99 {:5.2f} ms, max {:6.2f} ms", times.percentile(0.5), times.percentile(0.99),
                     times.percentile(1));
}

// The frames of a place, or of all.
struct Frames {
  FrameTimes whole, own;    // `own` is without what is handed to the display server
  FrameTimes built, drawn;  // parts of `own`
  int busy = 0;             // while jobs ran

  void add(double milliseconds, const FramePhases& end, bool jobs) {
    whole.add(milliseconds);
    own.add(milliseconds - end.shown);
    built.add(milliseconds - end.compared - end.drawn - end.shown);
    drawn.add(end.drawn);
    busy += jobs ? 1 : 0;
  }

  void print(const std::string& where) const {
    fmt::print(
        "frames {:<26} {:4} drawn, {:3.0f} % of them while jobs ran: {}; until drawn {} (p99 built {:.2f}, drawn "
        "{:.2f})\n",
        where, whole.count(), 100 * busy / std::max<double>(1, double(whole.count())), percentiles(whole),
        percentiles(own), built.percentile(0.99), drawn.percentile(0.99));
  }
};

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

int measureFrames(Host& host, const WorkbenchOptions& options, int beside) {
  Workbench workbench(host, options);
  workbench.layouts().reset();
  workbench.settings().bothSides = beside >= 0;
  workbench.warm();
  session::Session& model = workbench.model();
  // Until the jobs are under way: the start of a window is not what is measured.
  auto ready = [&] {
    return model.documents().target() != nullptr && model.programs().of(model.navigation().current()) != nullptr;
  };
  drawUntil(host, workbench, [&] { return ready() || model.documents().openProblem(); });
  if (!ready()) {
    fmt::print(stderr, "tileloom: {}\n",
               model.documents().openProblem() ? model.documents().openProblem()->message : "nothing was opened");
    return kUnreadable;
  }
  Frames all;
  Phases phases;
  auto last = [&] { return static_cast<int>(model.navigation().history().nodes().size()) - 1; };
  for (const document::Pointer& place : document::allPlaces()) {
    model.navigation().select(last());  // the largest state has all places
    workbench.showPlace(place);
    for (int i = 0; i < kOpeningFrames; ++i) workbench.frame();
    workbench.endOutline();
    model.selection().select({});
    const std::string where = place.target.empty() ? place.panel : place.panel + "/" + place.target;
    Frames frames;
    drawUntil(host, workbench, ready, kLongestPlace);
    const auto began = Clock::now();
    auto came = began;  // the state on show
    int full = 0;       // its frames with all that it has
    while (frames.whole.count() < kFramesPerPlace && Clock::now() - began < kLongestPlace) {
      // What is done is asked for anew: frames without work beside them are not what is measured.
      if (!model.activity().busy) model.documents().open(options.open);
      if (full >= kFramesPerState || Clock::now() - came > kPatience) {
        full = 0;
        came = Clock::now();
        if (!model.navigation().stepBack()) model.navigation().select(last());
      }
      if (beside >= 0 && model.documents().target() != nullptr) model.comparison().with(beside);
      host.waitForEvents(0);
      workbench.frameTimes().clear();
      workbench.frame();
      const bool there = ready();
      full += there ? 1 : 0;
      if (!workbench.drawn() || !there) continue;
      const double milliseconds = workbench.frameTimes().percentile(1);
      for (Frames* counted : {&frames, &all}) {
        counted->add(milliseconds, host.phases(), model.activity().busy);
      }
      phases.add(milliseconds, host.phases(), where);
    }
    frames.print(where);
  }
  all.print("in all");
  phases.print();
  return 0;
}

}  // namespace loom::window
