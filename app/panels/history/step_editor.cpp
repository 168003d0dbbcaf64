#include "app/panels/history/step_editor.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <set>

#include "app/panels/history/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/preview_strip.h"
#include "app/widgets/refusal.h"

namespace loom::panels {

namespace words = text::history;
using session::StepEditReport;
using window::Look;
using window::Tone;

namespace {

constexpr float kReportHeight = 116;  // design px: four lines; more are scrolled

// Branches have states of the same number.
std::string numbersOf(const document::History& history, const std::vector<int>& nodes) {
  std::set<int> numbers;
  for (const int node : nodes) numbers.insert(history.node(node).number);
  return runsText(numbers);
}

// States of which nothing could be compiled any more, by their reason.
void drawNoKernels(const Look& look, const document::History& history, const StepEditReport& replay) {
  if (!replay.noKernels) {
    drawSecond(look, look.say(words::kLooking));
    return;
  }
  std::vector<std::pair<Message, std::vector<int>>> reasons;
  for (const StepEditReport::NoKernel& state : *replay.noKernels) {
    auto at = std::find_if(reasons.begin(), reasons.end(),
                           [&](const auto& reason) { return reason.first == state.error.message; });
    if (at == reasons.end()) at = reasons.insert(at, {state.error.message, {}});
    at->second.push_back(state.node);
  }
  for (const auto& [why, nodes] : reasons) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kWarning));
    drawWrapped(say(look, words::kNoKernels, nodes.size(), numbersOf(history, nodes)));
    ImGui::PopStyleColor();
    drawSecond(look, look.tell(why));
  }
}

}  // namespace

void StepEditor::open(const session::Session& session, int node) {
  node_ = node;
  const document::Line* step = session.navigation().history().node(node).step();
  line_ = step != nullptr ? step->source : "";
  form_.reset();
  wanted_ = true;
}

void StepEditor::draw(PanelContext& context) {
  session::Session& session = *context.session;
  const Look& look = context.look;
  if (wanted_) ImGui::OpenPopup("###edit");
  // A dialog: a click beside it doesn't throw away what was written.
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings;
  ImGui::SetNextWindowSize({look.px(520), 0});
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Appearing, {0.5F, 0.5F});
  if (!ImGui::BeginPopupModal("###edit", nullptr, kFlags)) {
    if (open_) session.stepEdit().end();
    open_ = wanted_ = false;
    return;
  }
  open_ = true;
  const document::History& history = session.navigation().history();
  drawHeading(look, say(look, words::kEditTitle, history.node(node_).number));
  ImGui::Spacing();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  ImGui::SetNextItemWidth(-1);
  if (wanted_) ImGui::SetKeyboardFocusHere();
  wanted_ = false;
  ImGui::PushStyleColor(ImGuiCol_FrameBg, look.paint(Tone::kPanel));
  bool entered = ImGui::InputText("###line", &line_, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::Spacing();
  form_.draw(context, node_, line_);
  ImGui::Spacing();
  const document::Line* step = history.node(node_).step();
  const bool same = step == nullptr || step->source == line_;
  // As high whatever it says: the buttons below keep their places.
  if (ImGui::BeginChild("###report", {0, look.px(kReportHeight)})) {
    if (form_.problem()) {
      session.stepEdit().end();
      drawRefusal(context, *form_.problem(), line_);
    } else if (same) {
      session.stepEdit().end();
      drawSecond(look, look.say(words::kEditHelp));
    } else {
      session.stepEdit().show(node_, line_);
      drawReport(context);
    }
  }
  ImGui::EndChild();
  const StepEditReport* replay = session.stepEdit().report();
  const bool can = replay != nullptr && replay->ready && !replay->refusal;
  ImGui::BeginDisabled(!can);
  entered |= ImGui::Button(window::windowName(look.say(words::kReplay), "replay").c_str());
  setItemTip(look, look.say(words::kReplayHelp));
  ImGui::SameLine();
  const bool branches = ImGui::Button(window::windowName(look.say(words::kReplayBranch), "branch").c_str());
  setItemTip(look, look.say(words::kReplayBranchHelp));
  ImGui::EndDisabled();
  ImGui::SameLine();
  bool cancelled = ImGui::Button(window::windowName(look.say(words::kCancel), "cancel").c_str());
  // A field that is written in, or a list that is open, takes the key for itself.
  cancelled |= ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows | ImGuiFocusedFlags_NoPopupHierarchy) &&
               ImGui::Shortcut(ImGuiKey_Escape);
  if (can && branches) {
    session.edits().branchStepEdit();
  } else if (can && entered) {
    session.edits().applyStepEdit();
  }
  if ((can && (entered || branches)) || cancelled) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void StepEditor::drawReport(PanelContext& context) const {
  const session::Session& session = *context.session;
  const Look& look = context.look;
  const StepEditReport* replay = session.stepEdit().report();
  if (replay == nullptr || !replay->ready) {
    drawSecond(look, look.say(words::kReplaying));
    return;
  }
  if (replay->refusal) {
    drawRefusal(context, *replay->refusal, line_);
    return;
  }
  const document::History& history = session.navigation().history();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kChanged));
  drawWrapped(replay->changed.empty()
                  ? look.say(words::kNothingChanges)
                  : say(look, words::kChanges, replay->changed.size(), numbersOf(history, replay->changed)));
  ImGui::PopStyleColor();
  for (const StepEditReport::Effect& at : replay->effects) {
    drawSecond(look, say(look, words::kEffect, history.node(at.node).number,
                         at.compiles ? std::string(look.say(words::kCompilingEffect)) : effectText(look, at.effect)));
  }
  if (replay->broken.empty() && replay->noKernels && replay->noKernels->empty())
    drawSecond(look, look.say(words::kNothingBreaks));
  drawNoKernels(look, history, *replay);
  if (replay->broken.empty()) return;
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
  drawWrapped(say(look, words::kBreaks, replay->broken.size()));
  ImGui::PopStyleColor();
  for (const StepEditReport::RefusedStep& broken : replay->broken) {
    const document::Node& node = history.node(broken.node);
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    drawWrapped(fmt::format("{} {}", node.number, node.step() != nullptr ? abbreviatedStep(node.step()->source) : ""));
    ImGui::PopFont();
    std::string why = look.tell(broken.error.message);
    if (broken.gone > 0) why += " · " + say(look, words::kGone, broken.gone);
    drawSecond(look, why);
  }
}

}  // namespace loom::panels
