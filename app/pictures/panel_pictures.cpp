#include "app/pictures/panel_pictures.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "app/panels/lesson/view/pointer_target.h"
#include "app/pictures/draw_until.h"
#include "app/pictures/rendering_defects.h"
#include "app/pictures/tooltips.h"
#include "app/session/background_value.h"
#include "app/session/search_run.h"
#include "app/ui/short_step.h"
#include "app/widgets/state_finder.h"
#include "app/window/host.h"
#include "app/window/layouts.h"
#include "app/window/panel_capture.h"
#include "app/window/shell.h"
#include "core/document/chapter_order.h"

namespace loom::window {
namespace {

constexpr int kNoSuchState = 2, kNoWinner = 2;
constexpr int kFaults = 1;
constexpr std::chrono::seconds kLongestSearch{600};
constexpr double kLeastContrast = 3;  // of large text and of what can't be chosen now; the palette's own text has 4.5

// Frames until nothing that a panel has asked for is being made, and `enough` in a row look alike.
void settle(Host& host, Workbench& workbench, int enough) {
  constexpr int kMost = 300;
  constexpr double kWait = 0.005;  // s
  const auto end = std::chrono::steady_clock::now() + kLongestModel;
  for (int i = 0, alike = 0; i < kMost && alike < enough; ++i) {
    host.waitForEvents(kWait);
    workbench.frame();
    const bool making = session::beingMade() > 0 && std::chrono::steady_clock::now() < end;
    if (making) i = 0;
    alike = making || workbench.drawn() ? 0 : alike + 1;
  }
}

std::string fileName(const document::Pointer& place, int state) {
  std::string name = place.panel;
  if (!place.target.empty()) name += "_" + place.target;
  std::replace(name.begin(), name.end(), '/', '_');
  return fmt::format("{}_{:02}.png", name, state);
}

// Whether the state on show has it.
bool isThere(const session::Session& model, const document::Pointer& place) {
  const auto program = model.preview().shown();
  return program && session::placeOf(place, *program);
}

// Prints the faults of a panel. Whether one is certain.
bool printFaults(const std::vector<RenderingDefect>& faults, const std::string& name) {
  for (const RenderingDefect& fault : faults) {
    fmt::print("{}: {} at {:.0f},{:.0f}: {}", name, nameOf(fault.kind), fault.at.x, fault.at.y, fault.text);
    if (fault.kind == RenderingDefect::Kind::kOver || fault.kind == RenderingDefect::Kind::kShortened)
      fmt::print(" | {}", fault.other);
    if (fault.kind == RenderingDefect::Kind::kFaint) fmt::print(" | {:.2f} : 1", fault.contrast);
    fmt::print("\n");
  }
  return std::any_of(faults.begin(), faults.end(), [](const RenderingDefect& f) { return isCertain(f.kind); });
}

// 0, also where the panel is closed or hidden; kFaults where there are some, and it was asked for them.
int writeOne(Host& host, Workbench& workbench, const document::Pointer& place, const std::filesystem::path& path,
             bool check) {
  constexpr int kDerived = 40, kDrawn = 8;
  std::vector<panels::EllipsizedText> shortened;
  if (check) panels::noteShortened(&shortened);
  workbench.showPlace(place);
  settle(host, workbench, kDerived);
  // What was tried is all told in one picture of the page that shows it; elsewhere, and where pictures are only looked
  // over for faults, it would hold up each state for as long as the search takes.
  if (!check && place.panel == "performance" && place.target == "advice") {
    drawUntil(host, workbench, [&] { return !workbench.model().proposals().isRunning(); });
    settle(host, workbench, kDrawn);
  }
  workbench.endOutline();
  workbench.model().selection().select({});
  settle(host, workbench, kDrawn);
  const std::string window = windowName("", place.panel.c_str());
  const auto rect = panelRect(window);
  Image whole;
  if (rect) workbench.frame(&whole);
  panels::noteShortened(nullptr);
  if (!rect) return 0;
  bool faults = false;
  for (const std::string& misuse : host.takeMisuses()) {
    fmt::print("{}: Dear ImGui says of {}\n", path.stem().string(), misuse);
    faults = true;
  }
  if (check) {
    auto all = faultsOf(window, whole, ImGui::GetIO().DisplayFramebufferScale, kLeastContrast);
    const auto frame = [&] {
      constexpr double kWait = 0.01;  // s
      host.waitForEvents(kWait);
      workbench.frame();
    };
    for (RenderingDefect& fault : truncatedWithoutTooltip(frame, window, shortened)) all.push_back(std::move(fault));
    faults |= printFaults(all, path.stem().string());
    if (!faults) return 0;
  }
  const Image picture = cropped(whole, *rect, ImGui::GetIO().DisplayFramebufferScale);
  if (const Message error = writeWhole(path, encodePng(picture)); !error.empty()) {
    fmt::print(stderr, "tileloom: can't write {}: {}\n", path.string(), error);
    return kCannotWrite;
  }
  if (!check) fmt::print("{}\n", path.string());
  return faults ? kFaults : 0;
}

// Searches from the state on show until the winner is explained. Whether it came to one; if not, says why.
bool search(Host& host, Workbench& workbench, int trials) {
  session::SearchRun& run = workbench.model().search();
  session::SearchChoice choice = run.choice();
  choice.trials = trials;
  run.choose(choice);
  const auto begun = [&] {  // which it does only once the device is known
    if (!run.isRunning()) run.start();
    return run.isRunning();
  };
  const bool explained = drawUntil(host, workbench, begun, kLongestModel) &&
                         drawUntil(
                             host, workbench, [&] { return !run.isRunning(); }, kLongestSearch) &&
                         run.state()->winner != nullptr;
  if (explained) return true;
  const auto state = run.state();
  fmt::print(stderr, "tileloom: {}\n",
             state && state->problem ? state->problem->message.english() : "the search found no schedule in time");
  return false;
}

// Whether the models of all states are made whose figures the text of the chapter that is shown quotes.
bool isTold(session::Session& model) {
  const document::Target* target = model.documents().target();
  const int chapter = model.navigation().chapter();
  if (!target || !target->lesson || chapter < 0) return true;
  bool all = true;
  document::withFigures(document::in(target->lesson->chapters[std::size_t(chapter)].text, "en"),
                        [&](const document::Figure& figure) {
                          if (figure.name != "published")
                            all &= model.models().isFinal(document::figureNode(*target, figure, chapter));
                          return std::string();
                        });
  return all;
}

}  // namespace

int writePanelPictures(Host& host, Workbench& workbench, const PanelPictures& wanted, const std::string& folder) {
  session::Session& model = workbench.model();
  workbench.settings().theme = wanted.theme;
  workbench.settings().scalePercent = wanted.scalePercent;
  workbench.settings().reducedMotion = true;  // a picture has no time to wait for what glides
  // Tens of seconds a state, beside what is drawn.
  const auto tells = [](const document::Pointer& p) { return p.panel == "performance" && p.target == "advice"; };
  workbench.settings().searchFaster = !wanted.check && std::any_of(wanted.panels.begin(), wanted.panels.end(), tells);
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouse;  // wherever the pointer stands, nothing is hovered
  workbench.layouts().reset();
  const int count = static_cast<int>(model.navigation().history().nodes().size());
  std::vector<int> states = wanted.states;
  if (states.empty()) states = model.documents().target()->chapterNodes;
  if (states.empty()) states.push_back(model.navigation().current());
  std::vector<int> named = states;
  if (wanted.beside >= 0) named.push_back(wanted.beside);
  for (const int state : named) {
    if (state >= count) {
      fmt::print(stderr, "tileloom: there is no state {}: the program has {}\n", state, count);
      return kNoSuchState;
    }
  }
  int status = 0;
  std::size_t looked = 0;
  std::vector<bool> found(wanted.panels.size());
  for (const int state : states) {
    model.navigation().select(state);
    if (wanted.beside >= 0) {
      workbench.settings().bothSides = true;
      model.comparison().with(wanted.beside);
      drawUntil(
          host, workbench, [&] { return model.models().isFinal(wanted.beside); }, kLongestModel);
    }
    drawUntil(
        host, workbench,
        [&] {
          if (!model.models().isFinal(state)) return false;
          const auto* binary = model.compilations().of(state);
          return !binary || !*binary || (model.stalls().of(state) && model.stalls().sampler());
        },
        kLongestModel);
    if (wanted.trials > 0 && !search(host, workbench, wanted.trials)) return kNoWinner;
    for (std::size_t i = 0; i < wanted.panels.size(); ++i) {
      const document::Pointer& place = wanted.panels[i];
      if (!isThere(model, place)) continue;
      found[i] = true;
      ++looked;
      if (place.panel == "ptx") {
        drawUntil(
            host, workbench,
            [&] {
              const auto program = model.programs().of(state);
              return model.compilations().ptx(state) != nullptr || model.compilations().problem() ||
                     (program && program->kernel.problem);
            },
            kLongestModel);
      }
      if (place.panel == "lesson")
        drawUntil(
            host, workbench, [&] { return isTold(model); }, kLongestModel);
      if (place.target == "compare") {
        const int before = panels::comparedByDefault(model, state);
        drawUntil(
            host, workbench,
            [&] { return before < 0 || (model.models().isFinal(before) && model.models().isFinal(state)); },
            kLongestModel);
      }
      if (place.target == "sizes") {
        session::SweepChoice choice = model.sweep().choice();
        choice.sizes = "512..4096";
        model.sweep().choose(choice);
        model.sweep().start({{state}, gpu::readSizes(choice.sizes).value(), true});
        drawUntil(
            host, workbench, [&] { return model.sweep().result() == nullptr || !model.sweep().result()->running; },
            kLongestModel);
      }
      const std::filesystem::path path = std::filesystem::path(folder) / fileName(place, state);
      const int one = writeOne(host, workbench, place, path, wanted.check);
      if (one != 0 && one != kFaults) return one;
      status = std::max(status, one);
    }
  }
  const bool all = wanted.panels.size() == document::allPlaces().size();  // whatever each state has of them
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i] && !all)
      fmt::print(stderr, "tileloom: none of the states has {}/{}\n", wanted.panels[i].panel, wanted.panels[i].target);
  }
  if (wanted.check) fmt::print("looked over: {} pictures\n", looked);
  return status;
}

}  // namespace loom::window
