#include "app/window/dialogs/make_fast.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "app/session/session.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/widgets/rule_text.h"
#include "app/window/dialogs/file_dialogs.h"
#include "app/window/dialogs/make_fast_words.h"
#include "app/window/host.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::make_fast;
using panels::say;

namespace {

constexpr float kWidth = 560, kListHeight = 360;  // design px

// That the rules write.
int stepsOf(const tune::RulesAt& rules) {
  int steps = 0;
  for (const tune::RuleAt& rule : rules.rows)
    if (!rule.isDone) steps += rule.steps;
  return steps;
}

}  // namespace

void MakeFast::drawSteps(const Look& look, const session::Session& model) const {
  const tune::RulesAt& rules = *steps_.rules();
  panels::drawSecond(look, say(look, text::counted(stepsOf(rules), words::kWhatOne, words::kWhat), stepsOf(rules)));
  const document::History& history = model.navigation().history();
  if (rules.base != model.navigation().current())
    panels::drawSecond(look, say(look, words::kFrom, history.node(rules.base).number));
  int number = 0;
  std::set<std::string> told;  // a rule whose lines belong in two places has two rows
  for (const tune::RuleAt& rule : rules.rows) {
    if (rule.steps == 0 || rule.isDone) continue;
    ImGui::PushFont(look.fonts.strong, kTextSize);
    panels::drawWrapped(
        panels::named(look, fmt::format("{}. {}", ++number, panels::ruleTitle(look, rule.row)), rule.row.block));
    ImGui::PopFont();
    const std::string sentence = panels::ruleSentence(look, steps_, rule.row);
    if (told.insert(sentence).second) panels::drawWrapped(sentence);
    panels::drawSecond(look, panels::sentenceText(look, rule.row.why));
  }
  if (const Message why = tune::whyNotByWarpgroups(rules.built->plan); !why.empty())
    panels::drawSecond(look, say(look, words::kNotByWarpgroups, look.tell(why)));
  ImGui::Spacing();
  ImGui::PushFont(look.fonts.strong, kTextSize);
  panels::drawWrapped(look.say(words::kDecisions));
  ImGui::PopFont();
  for (const tune::ConstructionStep& step : rules.construction.steps) {
    panels::drawWrapped("• " + panels::sentenceText(look, step.words));
    panels::drawSecond(look, panels::sentenceText(look, step.reason));
  }
}

// The dialog has the same size before and after the rules have answered. Returns whether there is something to apply.
bool MakeFast::drawPlan(const Look& look, const session::Session& model) {
  const tune::RulesAt* rules = steps_.isCurrent() ? steps_.rules() : nullptr;
  const bool applies = rules != nullptr && !rules->isComplete;
  const std::string head = rules != nullptr   ? panels::constructionText(look, model, *rules)
                           : steps_.problem() ? look.say(words::kNone)
                                              : look.say(words::kAsking);
  ImGui::PushFont(look.fonts.strong, kTextSize);
  panels::drawWrapped(head, look.px(kWidth));
  ImGui::PopFont();
  const float height = std::min(look.px(kListHeight), ImGui::GetMainViewport()->Size.y * 0.65F);
  ImGui::BeginChild("###list", {look.px(kWidth), height}, ImGuiChildFlags_Borders);
  if (rules == nullptr && steps_.problem()) panels::drawWrapped(look.tell(steps_.problem()->message));
  if (rules != nullptr && rules->isComplete) panels::drawWrapped(look.say(words::kDone));
  if (applies) drawSteps(look, model);
  ImGui::EndChild();
  return applies;
}

void MakeFast::draw(const Look& look, session::Session& model) {
  if (after_ && !model.documents().isOpening()) {
    wanted_ = wanted_ || model.opened() != *after_;
    after_.reset();
  }
  if (std::exchange(wanted_, false) && model.documents().target() != nullptr) {
    steps_.restart();
    ImGui::OpenPopup("###makefast");
  }
  if (!beginDialog(look, look.say(words::kTitle), "makefast")) return;
  steps_.follow(model, [] { Host::wake(); });
  const bool applies = drawPlan(look, model);
  ImGui::Spacing();
  // The keyboard stood on the only button before.
  const bool wasOffered = std::exchange(isOffered_, applies), begins = applies && !wasOffered;
  bool confirms = false;
  if (applies) {
    if (begins) ImGui::SetKeyboardFocusHere();
    confirms = dialogButton(look, words::kApply, "apply");
    ImGui::SameLine();
  }
  const bool cancels = dialogButton(look, applies ? text::window::kCancel : words::kClose, "cancel") ||
                       ImGui::IsKeyPressed(ImGuiKey_Escape);
  // Enter is the other button's where the keyboard stands on that.
  confirms |= applies && !ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Enter, false);
  if (confirms && !cancels) steps_.pressAll(model);
  if (confirms || cancels) ImGui::CloseCurrentPopup();
  endDialog();
}

}  // namespace loom::window
