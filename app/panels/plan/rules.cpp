#include "app/panels/plan/rules.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/plan/words.h"
#include "app/session/rule_steps.h"
#include "app/session/search_run.h"
#include "app/session/session.h"
#include "app/ui/choice.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "app/widgets/decision_text.h"
#include "app/widgets/rule_text.h"
#include "core/script/line_diff.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;
using window::Tone;

namespace {

const text::Text& nameOf(tune::RuleStage stage) {
  return stage == tune::RuleStage::Inline   ? words::kStageInline
         : stage == tune::RuleStage::Memory ? words::kStageMemory
                                            : words::kStageRest;
}

// What the rule does, and where it applies.
std::string ruleTip(const Look& look, const session::RuleSteps& steps, const tune::PlanRow& row) {
  const std::string sentence = ruleSentence(look, steps, row);
  if (const tune::OwnRule* own = steps.ownRule(row)) return sentence + "\n" + own->file;
  const tune::RuleTableRow* known = tune::ruleNumbered(row.number);
  return known ? sentence + "\n" + say(look, words::kAppliesTo, look.tell(known->condition)) : "";
}

void drawFaint(const Look& look, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(text);
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

// Of every decision, so that the words behind the values begin at one place: room for four digits, or for the longest.
float valueWidth(const Look& look, const tune::RulesAt& rules) {
  float widest = ImGui::CalcTextSize("0000").x;
  const auto& decisions = rules.shown().space.decisions;
  for (const tune::RuleAt& rule : rules.rows)
    for (const int d : rule.decisions) {
      const std::string value =
          decidedText(look, decisions[std::size_t(d)].isYesOrNo, rules.construction.assignment[std::size_t(d)]);
      widest = std::max(widest, ImGui::CalcTextSize(value.c_str()).x);
    }
  return widest + look.px(40);
}

// A decision in words with a list of the values that go with the others, `width` px wide.
void drawDecision(const PanelContext& context, session::RuleSteps& steps, int decision, float width) {
  const tune::RulesAt& rules = *steps.rules();
  const Look& look = context.look;
  const auto d = std::size_t(decision);
  const tune::Decision& of = rules.shown().space.decisions[d];
  const std::int64_t now = rules.construction.assignment[d];
  ImGui::PushID(of.name.c_str());
  const std::string value = decidedText(look, of.isYesOrNo, now);
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVarY(ImGuiStyleVar_FramePadding, look.px(1));
  const bool open = window::beginCombo("###value", value);
  ImGui::PopStyleVar();
  drawWrappedTip(look, say(look, words::kDecisionTip, of.name));
  if (open) {
    const auto& values = d < rules.living.size() ? rules.living[d] : of.values;
    for (const std::int64_t one : values) {
      if (ImGui::Selectable(fmt::format("{}###v{}", decidedText(look, of.isYesOrNo, one), one).c_str(), one == now))
        steps.wish(of.name, one);
    }
    if (values.size() < of.values.size())
      drawSecond(look, say(look, words::kDeadValues, of.values.size() - values.size()));
    ImGui::EndCombo();
  }
  ImGui::SameLine(0, look.px(6));
  ImGui::BeginGroup();
  drawSecond(look, provenanceText(look, of.words));
  ImGui::EndGroup();
  ImGui::PopID();
}

void drawApplied(PanelContext& context, session::RuleSteps& steps, const tune::RuleAt& rule, float ofValues) {
  const tune::RulesAt& rules = *steps.rules();
  const Look& look = context.look;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string mark = rule.isDone ? fmt::format("✓ {}", look.say(words::kDone)) : "✓";
  const float markWidth = ImGui::CalcTextSize(mark.c_str()).x;
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + std::max(look.px(60), width - markWidth - look.px(8)));
  ImGui::TextUnformatted(ruleTitle(look, rule.row).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  drawWrappedTip(look, ruleTip(look, steps, rule.row));
  ImGui::GetWindowDrawList()->AddText({from.x + width - markWidth, from.y},
                                      look.paint(rule.isDone ? Tone::kOk : Tone::kTextSecond), mark.c_str());
  drawSecond(look, named(look, rule.row.block, provenanceText(look, rule.row.why)));
  for (const int decision : rule.decisions) drawDecision(context, steps, decision, ofValues);
  if (rule.fold < 0) return;
  const std::vector<std::string> lines = script::splitLines(rules.folds[std::size_t(rule.fold)]);
  if (!rule.isDone && rule.steps > 0) {
    ImGui::BeginDisabled(!steps.isCurrent());
    const bool clicked = window::smallButton(window::windowName(look.say(words::kPress), "apply").c_str());
    ImGui::EndDisabled();
    drawWrappedTip(look, say(look, words::kUpToRule, script::splitLines(rules.linesUpTo(rule.fold)).size()));
    if (clicked) return steps.press(*context.session, rule.fold);
    ImGui::SameLine();
  }
  const text::Text& counted = lines.size() == 1 ? words::kLine : words::kLines;
  if (ImGui::TreeNode("###lines", "%s", say(look, counted, lines.size()).c_str())) {
    ImGui::PushFont(look.fonts.code, window::kSecondarySize);
    for (const std::string& line : lines) drawWrapped(line);
    ImGui::PopFont();
    ImGui::TreePop();
  }
}

void drawReasons(const Look& look, const tune::RulesAt& rules) {
  const auto& steps = rules.construction.steps;
  if (steps.empty()) return;
  if (!ImGui::TreeNode(
          "###reasons", "%s",
          say(look, text::counted(std::int64_t(steps.size()), words::kOneStep, words::kSteps), steps.size()).c_str()))
    return;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    drawWrapped(fmt::format("{}. {}", n + 1, look.tell(steps[n].words)));
    drawSecond(look, look.tell(steps[n].reason));
  }
  ImGui::TreePop();
}

void drawConstruction(PanelContext& context, session::RuleSteps& steps) {
  const tune::RulesAt& rules = *steps.rules();
  const Look& look = context.look;
  drawWrapped(constructionText(look, *context.session, rules));
  drawParts(look, rules.shown());
  if (rules.isComplete) {
    drawSecond(look, look.say(words::kAllDone));
  } else {
    bool begun = false;
    for (const tune::RuleAt& rule : rules.rows) begun = begun || rule.isDone;
    ImGui::BeginDisabled(!steps.isCurrent());
    const bool clicked =
        window::smallButton(window::windowName(look.say(begun ? words::kRest : words::kApplyAll), "rest").c_str());
    ImGui::EndDisabled();
    const std::string all = rules.linesUpTo(int(rules.folds.size()) - 1);
    drawWrappedTip(look, say(look, words::kRestTip, script::splitLines(all).size()));
    if (rules.branches) {
      const int number = context.session->navigation().history().node(rules.base).number;
      drawSecond(look, say(look, words::kBranch, number));
    }
    if (clicked) return steps.pressAll(*context.session);
  }
  drawReasons(look, rules);
}

void drawSketchChoice(const PanelContext& context, session::RuleSteps& steps) {
  const tune::RulesAt& rules = *steps.rules();
  const Look& look = context.look;
  if (rules.built->built.size() < 2) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kSketch));
  ImGui::SameLine(0, look.px(6));
  ImGui::SetNextItemWidth(std::min(look.px(240), ImGui::GetContentRegionAvail().x));
  if (!window::beginCombo("###sketch", sketchText(look, rules.shown().name))) return;
  for (const tune::Built& one : rules.built->built) {
    const tune::Sketch& sketch = rules.built->plan.sketches[std::size_t(one.construction.sketch)];
    const std::string time = one.microseconds ? timeText(*one.microseconds) : look.tell(one.unpredicted);
    const std::string label = fmt::format("{}  ≈ {}###{}", sketchText(look, sketch.name), time, sketch.name);
    if (ImGui::Selectable(label.c_str(), one.construction.sketch == rules.sketch)) steps.choose(sketch.name);
  }
  ImGui::EndCombo();
}

void drawOwnProblems(const PanelContext& context, session::RuleSteps& steps) {
  const Look& look = context.look;
  const tune::OwnRules* own = steps.ownRules();
  if (own == nullptr) return;
  for (const Error& problem : own->problems) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kError));
    drawWrapped(fmt::format("{}:{}: {}", problem.place.file, problem.place.line, look.tell(problem.message)));
    ImGui::PopStyleColor();
  }
  if (window::smallButton(window::windowName(look.say(words::kReadAgain), "readrules").c_str())) steps.readOwnRules();
  drawWrappedTip(look, look.say(words::kReadAgainTip));
}

}  // namespace

// What is less exact is the user's choice, and holds for the search, too.
void drawTf32Choice(const PanelContext& context) {
  const Look& look = context.look;
  session::SearchRun& search = context.session->search();
  session::SearchChoice choice = search.choice();
  if (window::checkbox(look, window::windowName(look.say(words::kTf32), "tf32").c_str(), &choice.rules.tf32))
    search.choose(std::move(choice));
  drawWrappedTip(look, look.say(words::kTf32Tip));
}

void drawRules(PanelContext& context, session::RuleSteps& steps) {
  const Look& look = context.look;
  const tune::RulesAt* rules = steps.rules();
  if (rules == nullptr) {
    drawSecond(look,
               steps.problem() ? look.tell(steps.problem()->message) : std::string(look.say(words::kAskingRules)));
    return drawOwnProblems(context, steps);
  }
  drawSketchChoice(context, steps);
  for (const tune::NotBuilt& one : rules->built->notBuilt) {
    const std::string& name = rules->built->plan.sketches[std::size_t(one.sketch)].name;
    drawFaint(look, fmt::format("{}: {}", sketchText(look, name), look.tell(one.why)));
  }
  if (rules->built->plan.asksForTf32) drawTf32Choice(context);
  drawConstruction(context, steps);
  const float ofValues = valueWidth(look, *rules);
  std::optional<tune::RuleStage> stage;
  int number = 0;
  for (const tune::RuleAt& rule : rules->rows) {
    ImGui::PushID(number++);
    if (stage != rule.stage) {
      stage = rule.stage;
      ImGui::Dummy({0, look.px(4)});
      drawHeading(look, fmt::format("{} {}", int(*stage) + 1, look.say(nameOf(*stage))));
    }
    if (rule.row.applied) {
      ImGui::Separator();
      drawApplied(context, steps, rule, ofValues);
    } else {
      drawFaint(look, "– " + named(look, fmt::format("{} · {}", ruleTitle(look, rule.row), rule.row.block),
                                   provenanceText(look, rule.row.why)));
      drawWrappedTip(look, ruleTip(look, steps, rule.row));
    }
    ImGui::PopID();
  }
  ImGui::Dummy({0, look.px(6)});
  drawOwnProblems(context, steps);
}

}  // namespace loom::panels
