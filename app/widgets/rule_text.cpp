#include "app/widgets/rule_text.h"

#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>

#include "app/panels/plan/words.h"
#include "app/session/rule_steps.h"
#include "app/session/session.h"
#include "app/text/program_parts.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"
#include "core/tune/rules/plan_of_parts.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;
using window::Tone;

std::string ruleTitle(const Look& look, const tune::PlanRow& row) {
  const tune::RuleTableRow* known = tune::ruleNumbered(row.number);
  const std::string own = known && known->name == row.rule ? look.tell(known->words) : row.rule;
  // A word that is the same in both languages, "warpgroup", stands there once.
  const bool adds = row.rule.find(own) == std::string::npos;
  return fmt::format("{} {}{}", row.number, row.rule, adds ? " " + own : "");
}

std::string ruleSentence(const Look& look, const session::RuleSteps& steps, const tune::PlanRow& row) {
  if (const tune::OwnRule* own = steps.ownRule(row)) return document::in(own->sentence, text::codeOf(look.language));
  const tune::RuleTableRow* known = tune::ruleNumbered(row.number);
  return known ? look.tell(known->sentence) : "";
}

std::string sketchText(const Look& look, const std::string& name) {
  if (look.language == text::Language::kEnglish) return name;
  // What a name begins with, then how sums are shared.
  const text::Text* const kBases[] = {&words::kByThreads, &words::kByCoresInSlices, &words::kByCoresByWarps,
                                      &words::kByCores};
  std::string rest = name, shown;
  for (const text::Text* base : kBases) {
    const std::string known = base->in(text::Language::kEnglish);
    if (!rest.starts_with(known)) continue;
    shown = look.say(*base), rest.erase(0, known.size());
    break;
  }
  if (rest == words::kAcrossCluster.in(text::Language::kEnglish)) return shown + look.say(words::kAcrossCluster);
  const std::string swapped = words::kFactorsSwapped.in(text::Language::kEnglish);
  if (rest.ends_with(swapped))
    return shown + rest.substr(0, rest.size() - swapped.size()) + look.say(words::kFactorsSwapped);
  int parts = 0, length = 0;
  const std::size_t at = rest.find(", k in ");
  if (at != std::string::npos && std::sscanf(rest.c_str() + at, ", k in %d parts%n", &parts, &length) == 1 &&
      at + std::size_t(length) == rest.size())
    return shown + rest.substr(0, at) + say(look, words::kInParts, parts);
  return shown + rest;
}

std::string constructionText(const Look& look, const session::Session& session, const tune::RulesAt& rules) {
  const std::string name = sketchText(look, rules.shown().name);
  if (!rules.microseconds) return say(look, words::kBuiltUnpredicted, name);
  return say(look, words::kBuilt, name, timeText(*rules.microseconds),
             session::modelledDevice(session.modelDevice().status()));
}

void drawParts(const Look& look, const tune::Sketch& sketch) {
  const std::vector<tune::SketchPart> parts = tune::partsOf(sketch);
  if (parts.empty()) return;
  namespace told = text::parts;
  drawSecond(look, say(look, told::kSummary, parts.size()));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const float behind = look.px(8) + std::max(ImGui::CalcTextSize(look.say(told::kOpen)).x,
                                             ImGui::CalcTextSize(look.say(told::kFixed)).x);
  for (const tune::SketchPart& part : parts) {
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(part.isOpen ? Tone::kText : Tone::kTextSecond));
    const float from = ImGui::GetCursorPosX();
    ImGui::TextUnformatted(look.say(part.isOpen ? told::kOpen : told::kFixed));
    ImGui::SameLine();
    ImGui::SetCursorPosX(from + behind);
    ImGui::BeginGroup();
    const std::string blocks = fmt::format("{}", fmt::join(part.blocks, ", ")), by = sketchText(look, part.sketch);
    drawWrapped(part.microseconds ? say(look, told::kPredicted, blocks, by, timeText(*part.microseconds))
                                  : say(look, told::kUnpredicted, blocks, by));
    ImGui::EndGroup();
    drawWrappedTip(look, look.say(told::kTip));
    ImGui::PopStyleColor();
  }
  ImGui::PopFont();
}

}  // namespace loom::panels
