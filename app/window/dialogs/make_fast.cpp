#include "app/window/dialogs/make_fast.h"

#include <fmt/format.h>
#include <imgui.h>

#include <utility>

#include "app/session/session.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/widgets/rule_text.h"
#include "app/window/dialogs/file_dialogs.h"
#include "app/window/dialogs/make_fast_words.h"
#include "app/window/host.h"
#include "app/window/words.h"
#include "core/script/line_diff.h"

namespace loom::window {

namespace words = text::make_fast;
using panels::say;

namespace {

constexpr float kWidth = 560, kListHeight = 320;  // design px

// Rules of which some line changes the program.
int stepsOf(const tune::RulesAt& rules) {
  int steps = 0;
  for (const tune::RuleAt& rule : rules.rows) steps += rule.makesStep && !rule.isDone ? 1 : 0;
  return steps;
}

}  // namespace

void MakeFast::drawSteps(const Look& look, const session::Session& model) const {
  const tune::RulesAt& rules = *steps_.rules();
  const document::History& history = model.navigation().history();
  if (rules.base != model.navigation().current())
    panels::drawWrapped(say(look, words::kFrom, history.node(rules.base).number), look.px(kWidth));
  ImGui::BeginChild("###list", {look.px(kWidth), look.px(kListHeight)}, ImGuiChildFlags_Borders);
  int number = 0;
  for (const tune::RuleAt& rule : rules.rows) {
    if (!rule.makesStep || rule.isDone) continue;
    ImGui::PushFont(look.fonts.strong, kTextSize);
    panels::drawWrapped(fmt::format("{}. {}: {}", ++number, panels::ruleTitle(look, rule.row), rule.row.block));
    ImGui::PopFont();
    panels::drawWrapped(panels::ruleSentence(look, steps_, rule.row));
    panels::drawSecond(look, look.tell(rule.row.why));
  }
  ImGui::Spacing();
  ImGui::PushFont(look.fonts.strong, kTextSize);
  panels::drawWrapped(look.say(words::kDecisions));
  ImGui::PopFont();
  for (const tune::ConstructionStep& step : rules.construction.steps) {
    panels::drawWrapped("• " + look.tell(step.words));
    panels::drawSecond(look, look.tell(step.reason));
  }
  ImGui::EndChild();
}

// Whether there is something to apply.
bool MakeFast::drawPlan(const Look& look, const session::Session& model) {
  const tune::RulesAt* rules = steps_.isCurrent() ? steps_.rules() : nullptr;
  if (rules == nullptr) {
    const std::string why = steps_.problem() ? look.tell(steps_.problem()->message) : look.say(words::kAsking);
    panels::drawWrapped(why, look.px(kWidth));
    return false;
  }
  ImGui::PushFont(look.fonts.strong, kTextSize);
  panels::drawWrapped(panels::constructionText(look, model, *rules), look.px(kWidth));
  ImGui::PopFont();
  if (rules->isComplete) {
    panels::drawWrapped(look.say(words::kDone), look.px(kWidth));
    return false;
  }
  panels::drawWrapped(say(look, words::kWhat, stepsOf(*rules)), look.px(kWidth));
  drawSteps(look, model);
  return true;
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
  if (applies) {
    const bool clicked = dialogButton(look, words::kApply, "apply");
    ImGui::SameLine();
    if (clicked || ImGui::IsKeyPressed(ImGuiKey_Enter, false)) {
      steps_.pressAll(model);
      ImGui::CloseCurrentPopup();
    }
  }
  if (dialogButton(look, applies ? text::window::kCancel : words::kClose, "cancel") ||
      ImGui::IsKeyPressed(ImGuiKey_Escape))
    ImGui::CloseCurrentPopup();
  endDialog();
}

}  // namespace loom::window
