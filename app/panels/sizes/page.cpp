#include "app/panels/sizes/page.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "app/panels/performance/words.h"
#include "app/panels/sizes/words.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/number_field.h"
#include "app/ui/short_step.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/state_text.h"
#include "core/tune/size_sweep.h"

namespace loom::panels {

namespace words = text::sizes;
using session::SweepChoice;
using tune::Sweep;
using window::Look;
using window::Tone;

namespace {

constexpr std::size_t kMostStates = 8;  // lines of a plot that can be told apart
constexpr const char* kTypes[] = {"float16/float32", "float16/float16", "int8/int32", "float32/float32",
                                  "float64/float64"};

std::string ownTypes(const session::Session& session) {
  return fmt::format("{}/{}", session.results().matmul()->input.str(), session.results().matmul()->output.str());
}

// The name of a field before it, in the same row where that has room.
void name(PanelContext& context, const text::Text& words, float width) {
  const char* label = context.look.say(words);
  flowOn(context.look, ImGui::CalcTextSize(label).x + context.look.px(4) + width);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  ImGui::SameLine(0, context.look.px(4));
  ImGui::SetNextItemWidth(width);
}

}  // namespace

std::vector<int> sweptNodes(const session::Session& session) {
  std::vector<int> nodes = session.sweep().choice().states;
  if (nodes.empty()) {
    nodes.push_back(session.navigation().current());
    if (session.comparison().node() >= 0 && session.comparison().node() != session.navigation().current())
      nodes.push_back(session.comparison().node());
  }
  std::erase_if(nodes, [&](int node) { return !isKernel(session, node); });
  return nodes;
}

void Sizes::draw(PanelContext& context) {
  const session::Session& session = *context.session;
  if (!session.results().hasOtherSizes()) {
    drawEmpty(context, words::kNoProduct);
    return;
  }
  drawChoice(context);
  const Sweep* sweep = session.sweep().result();
  if (sweep == nullptr) {
    drawSecond(context.look, context.look.say(words::kEmpty));
    return;
  }
  isLogarithmic_ = logarithmic_.value_or(needsDecades(*sweep));
  drawKey(context, *sweep);
  const Look& look = context.look;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // Beside each other also where the panel is low: one under the other neither would have height.
  const bool wide = space.x > look.px(space.y < look.px(240) ? 400 : 760);
  const float width = wide ? space.x * 0.36F : space.x;
  drawPlot(context, *sweep, width, std::max(wide ? space.y : space.y * 0.5F, look.px(wide ? 76 : 120)));
  if (wide) ImGui::SameLine();
  drawTable(context, *sweep);
}

void Sizes::drawChoice(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kSizes));
  ImGui::SameLine(0, look.px(4));
  ImGui::SetNextItemWidth(look.px(190));
  SweepChoice choice = session.sweep().choice();
  if (ImGui::InputText("###sizes", &choice.sizes)) session.sweep().choose(choice);
  setItemTip(look, look.say(words::kSizesHint));
  drawTypes(context);
  drawStates(context);
  drawRun(context);
}

void Sizes::drawTypes(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  const std::string own = ownTypes(session);
  SweepChoice choice = session.sweep().choice();
  name(context, words::kTypes, look.px(136));
  const std::string ownLabel =
      say(look, words::kOwnTypes, session.results().matmul()->input.str(), session.results().matmul()->output.str());
  if (ImGui::BeginCombo("###types", choice.dtypes.empty() ? own.c_str() : choice.dtypes.c_str())) {
    auto row = [&](const std::string& label, const std::string& id, const std::string& dtypes) {
      if (!ImGui::Selectable(window::windowName(label.c_str(), id.c_str()).c_str(), choice.dtypes == dtypes)) return;
      choice.dtypes = dtypes;
      session.sweep().choose(choice);
    };
    row(ownLabel, "own", "");
    for (const char* types : kTypes)
      if (types != own) row(types, types, types);
    ImGui::EndCombo();
  }
  setItemTip(look, look.say(words::kTypesHint));
}

void Sizes::drawStates(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  const std::vector<int> nodes = sweptNodes(session);
  std::string shown = nodes.empty() ? "–" : stateLabel(look, session.navigation().history(), nodes.front());
  if (nodes.size() > 1) {  // their numbers: of their names one would have room
    shown.clear();
    for (int node : nodes)
      shown += (shown.empty() ? "" : ", ") + std::to_string(session.navigation().history().node(node).number);
  }
  const float width = look.px(200);
  name(context, words::kStates, width);
  const bool open =
      ImGui::BeginCombo("###states", ellipsized(shown, width - look.px(34)).c_str(), ImGuiComboFlags_HeightLargest);
  if (!open) setItemTip(look, shown + "\n" + look.say(words::kStatesHint));
  if (open) {
    auto isChosen = [&](int node) { return std::find(nodes.begin(), nodes.end(), node) != nodes.end(); };
    const int clicked = finder_.draw(context, isChosen, session.navigation().current());
    if (clicked >= 0) {
      SweepChoice choice = session.sweep().choice();
      choice.states = nodes;
      if (isChosen(clicked)) {
        std::erase(choice.states, clicked);
      } else if (choice.states.size() < kMostStates) {
        choice.states.push_back(clicked);
      }
      session.sweep().choose(choice);
    }
    if (nodes.size() >= kMostStates) ImGui::TextDisabled("%s", say(look, words::kMostStates, kMostStates).c_str());
    ImGui::EndCombo();
  }
}

void Sizes::drawRun(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  const Sweep* sweep = session.sweep().result();
  const bool running = sweep != nullptr && sweep->running;
  const char* label = look.say(running ? text::performance::kCancel : words::kRun);
  flowOn(context.look, ImGui::CalcTextSize(label).x + look.px(16));
  if (running) {
    if (window::smallButton(window::windowName(label, "cancel").c_str())) session.sweep().end();
    return;
  }
  const std::vector<int> nodes = sweptNodes(session);
  ImGui::BeginDisabled(nodes.empty() || !session.modelDevice().status().known);
  if (window::smallButton(window::windowName(label, "run").c_str())) {
    problem_ = {};
    auto sizes = gpu::readSizes(session.sweep().choice().sizes);
    if (sizes && !session.sweep().choice().dtypes.empty()) {
      const auto types = gpu::readTypes(session.sweep().choice().dtypes);
      for (gpu::ProductSize& size : *sizes)
        if (types) std::tie(size.input, size.output) = *types;
    }
    if (sizes) {
      session.sweep().start({nodes, std::move(*sizes), true});
    } else {
      problem_ = sizes.error().message;
    }
  }
  ImGui::EndDisabled();
  const bool hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
  if (sweep != nullptr && context.command != nullptr) {
    const char* save = look.say(words::kSave);
    flowOn(context.look, ImGui::CalcTextSize(save).x + look.px(16));
    if (window::smallButton(window::windowName(save, "save").c_str())) *context.command = "sizes_csv";
  }
  if (nodes.empty() && hovered) showTip(context.look, look.say(words::kNoKernel));
  if (problem_.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
  drawSecond(look, look.tell(problem_));
  ImGui::PopStyleColor();
}

// One line: how far it is, what the marks mean and where the numbers are from.
void Sizes::drawKey(PanelContext& context, const Sweep& sweep) {
  const Look& look = context.look;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(2), look.px(1)});
  if (window::checkbox(look, window::windowName(look.say(words::kLogarithmic), "log").c_str(), &isLogarithmic_))
    logarithmic_ = isLogarithmic_;
  ImGui::PopStyleVar();
  ImGui::SameLine(0, look.px(12));
  std::string key = look.say(words::kAxis);
  auto add = [&](const std::string& more) { key += " · " + more; };
  std::string from;
  for (const tune::SweptSize& size : sweep.sizes) {
    for (const tune::SweptState& state : size.states)
      if (from.empty() && state.measured() != nullptr) from = originText(look, state.timed);
  }
  if (sweep.running) key = look.tell(context.session->activity().text);
  if (!from.empty()) add(say(look, words::kMeasuredOn, from));
  if (!sweep.device.empty()) add(say(look, words::kPredictedFor, sweep.device));
  add(look.say(words::kRefusedMark));
  if (sweep.cancelled) add(look.say(words::kCancelled));
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  fittedText(key, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

}  // namespace loom::panels
