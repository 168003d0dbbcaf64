#include "app/panels/state_finder.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <sstream>

#include "app/notation/lower_case.h"
#include "app/panels/state_text.h"
#include "app/panels/time_text.h"
#include "app/text/performance.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::performance;

namespace {

// Whether the text has every word of `wanted`, in whatever case.
bool hasWords(const std::string& text, const std::string& wanted) {
  const std::string within = notation::lowerCase(text);
  std::istringstream all(notation::lowerCase(wanted));
  for (std::string word; all >> word;)
    if (within.find(word) == std::string::npos) return false;
  return true;
}

}  // namespace

bool isKernel(const workbench::Workbench& bench, int node) {
  const auto derived = bench.derived(node);
  return derived && !derived->kernel.problem && !bench.history().node(node).deleted;
}

int kernelBefore(const workbench::Workbench& bench, int node) {
  int before = bench.history().node(node).parent;
  while (before >= 0 && !isKernel(bench, before)) before = bench.history().node(before).parent;
  return before;
}

int StateFinder::draw(PanelContext& context, const std::function<bool(int)>& marked, int scrollTo, int except) {
  constexpr int kMostRows = 14;
  workbench::Workbench& bench = *context.workbench;
  const window::Look& look = context.look;
  const bool opens = ImGui::IsWindowAppearing();
  if (opens) {
    wanted_.clear();
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputTextWithHint("###wanted", look.say(words::kFindState), &wanted_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited() || opens || listed_ != bench.revision()) {
    listed_ = bench.revision();
    states_.clear();
    for (int i = 0; i < int(bench.history().nodes().size()); ++i) {
      if (i == except || !isKernel(bench, i)) continue;
      const document::Node& node = bench.history().node(i);
      if (hasWords(std::to_string(node.number) + " " + stateTitle(look, node), wanted_)) states_.push_back(i);
    }
    // A number is meant as the step's before it is looked for elsewhere.
    std::stable_partition(states_.begin(), states_.end(),
                          [&](int i) { return std::to_string(bench.history().node(i).number) == wanted_; });
  }
  int chosen = entered && !states_.empty() ? states_.front() : -1;
  const float row = ImGui::GetTextLineHeightWithSpacing();
  const int rows = std::clamp(int(states_.size()), 1, kMostRows);
  if (ImGui::BeginChild("###states", {0, row * float(rows)})) {
    if (states_.empty()) ImGui::TextDisabled("%s", look.say(words::kNoState));
    if (opens) {
      const auto at = std::find(states_.begin(), states_.end(), scrollTo) - states_.begin();
      ImGui::SetScrollY(std::max(0.0F, row * (float(at) - float(rows / 2))));
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(states_.size()), row);
    while (clipper.Step()) {
      for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
        const int i = states_[std::size_t(at)];
        ImGui::PushID(i);
        std::string label = namedState(look, bench.history(), i);
        if (const auto* measured = bench.measured(i)) label += "   " + timeText(measured->timing.median);
        if (ImGui::Selectable((label + "###state").c_str(), marked(i), ImGuiSelectableFlags_NoAutoClosePopups))
          chosen = i;
        ImGui::PopID();
      }
    }
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace loom::panels
