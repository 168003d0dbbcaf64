#include "app/widgets/state_finder.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <sstream>

#include "app/notation/lower_case.h"
#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/state_text.h"
#include "core/document/branches.h"
#include "core/document/chapter_order.h"

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

// Its name, as much as there is room for, and at the right end its time. True when it is clicked.
bool drawState(const window::Look& look, const session::Session& session, int node, bool marked) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const bool clicked = ImGui::Selectable("###state", marked, ImGuiSelectableFlags_NoAutoClosePopups);
  const gpu::Outcome* measured = session.results().measured(node);
  const auto predicted = measured ? std::nullopt : session.models().prediction(node, false);
  const std::string time = measured ? timeText(measured->timing.median) : predicted ? predictedText(*predicted) : "";
  const float timeAt = right - ImGui::CalcTextSize(time.c_str()).x;
  std::string name = comparedLabel(look, session, node);
  const std::string step = stateTitle(look, session.navigation().history().node(node));
  if (comparedTitle(look, session, node) != step) name += " · " + step;
  const std::string shown = ellipsized(name, timeAt - at.x - look.px(12));
  if (shown != name) setItemTip(look, name);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddText(at, look.paint(window::Tone::kText), shown.c_str());
  draw->AddText({timeAt, at.y}, look.paint(measured ? window::Tone::kText : window::Tone::kTextFaint), time.c_str());
  return clicked;
}

}  // namespace

bool isKernel(const session::Session& session, int node) {
  const auto program = session.programs().of(node);
  return program && !program->kernel.problem && !session.navigation().history().node(node).deleted;
}

int kernelBefore(const session::Session& session, int node) {
  int before = session.navigation().history().node(node).parent;
  while (before >= 0 && !isKernel(session, before)) before = session.navigation().history().node(before).parent;
  return before;
}

int comparedByDefault(const session::Session& session, int node) {
  const document::Target& target = *session.documents().target();
  // A program that isn't made yet may be a kernel: to look further meanwhile would show another pair for a moment.
  for (int end = document::comparedEnd(target, node), left = int(target.chapterNodes.size()); end >= 0 && left > 0;
       end = document::comparedEnd(target, end), --left) {
    const auto program = session.programs().of(end);
    if (!program || !program->kernel.problem) return end;
  }
  return kernelBefore(session, node);
}

int StateFinder::draw(PanelContext& context, const std::function<bool(int)>& marked, int scrollTo, int except) {
  constexpr int kMostRows = 14;
  session::Session& session = *context.session;
  const window::Look& look = context.look;
  const bool opens = ImGui::IsWindowAppearing();
  if (opens) {
    wanted_.clear();
    rows_ = 0;
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = ImGui::InputTextWithHint("###wanted", look.say(words::kFindState), &wanted_,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemEdited() || opens || listed_ != session.revision()) {
    listed_ = session.revision();
    states_.clear();
    for (const int i : document::statesByWay(session.navigation().history())) {
      if (i == except || !isKernel(session, i)) continue;
      const document::Node& node = session.navigation().history().node(i);
      if (hasWords(std::to_string(node.number) + " " + stateTitle(look, node) + " " + comparedTitle(look, session, i),
                   wanted_))
        states_.push_back(i);
    }
    // A number is meant as the step's before it is looked for elsewhere.
    std::stable_partition(states_.begin(), states_.end(), [&](int i) {
      return std::to_string(session.navigation().history().node(i).number) == wanted_;
    });
  }
  int chosen = entered && !states_.empty() ? states_.front() : -1;
  const float row = ImGui::GetTextLineHeightWithSpacing();
  // As high as it opened: a list that became shorter would go to the other side of its field.
  rows_ = std::max(rows_, std::clamp(int(states_.size()), 1, kMostRows));
  if (ImGui::BeginChild("###states", {0, row * float(rows_)})) {
    if (states_.empty()) ImGui::TextDisabled("%s", look.say(words::kNoState));
    if (opens) {
      const auto at = std::find(states_.begin(), states_.end(), scrollTo) - states_.begin();
      ImGui::SetScrollY(std::max(0.0F, row * (float(at) - float(rows_ / 2))));
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(states_.size()), row);
    while (clipper.Step()) {
      for (int at = clipper.DisplayStart; at < clipper.DisplayEnd; ++at) {
        const int i = states_[std::size_t(at)];
        ImGui::PushID(i);
        if (drawState(look, session, i, marked(i))) chosen = i;
        ImGui::PopID();
      }
    }
  }
  ImGui::EndChild();
  return chosen;
}

}  // namespace loom::panels
