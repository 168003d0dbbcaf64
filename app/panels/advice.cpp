#include "app/panels/advice.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/panels/panel_text.h"
#include "app/panels/preview_line.h"
#include "app/panels/rich_text.h"
#include "app/panels/time_text.h"
#include "app/text/memory.h"
#include "app/window/look.h"
#include "app/window/small_button.h"
#include "app/workbench/shown_model.h"

namespace loom::panels {

namespace words = text::memory;

namespace {

struct AdviceWords {
  const char* code;
  const text::Text& what;
  const text::Text& help;
};
const AdviceWords* wordsOf(const model::Advice& a) {
  static constexpr AdviceWords kAll[] = {{"bank_conflicts", words::kConflictAdvice, words::kConflictHelp},
                                         {"scattered_access", words::kScatteredAdvice, words::kScatteredHelp},
                                         {"idle_lanes", words::kIdleAdvice, words::kIdleHelp},
                                         {"repeated_work", words::kRepeatedAdvice, words::kRepeatedHelp},
                                         {"few_blocks", words::kFewBlocksAdvice, words::kFewBlocksHelp},
                                         {"one_thread", words::kOneThreadAdvice, words::kOneThreadHelp},
                                         {"small_block", words::kSmallBlockAdvice, words::kSmallBlockHelp}};
  for (const AdviceWords& known : kAll)
    if (a.code == known.code) return &known;
  return nullptr;
}

const words::Busiest* busiestOf(const model::Advice& a) {
  for (const words::Busiest& known : words::kBusiest)
    if (a.code == "busiest" && a.subject == known.subject) return &known;
  return nullptr;
}

double numberOf(const model::Advice& a, const char* key) {
  const auto found = a.numbers.find(key);
  return found == a.numbers.end() ? 0 : found->second;
}

std::string helpText(const window::Look& look, const model::Advice& a) {
  if (const auto* busiest = busiestOf(a)) return look.say(busiest->help);
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr) return "";
  if (a.code != "idle_lanes") return look.say(known->help);
  const int axis = int(numberOf(a, "axis"));
  if (axis < 0) return look.say(words::kGuardedHelp);
  return say(look, known->help, std::string("threadIdx.") + "xyz"[axis % 3]);
}

// Whether its text ends with what it costs.
bool tellsTime(const model::Advice& a) {
  return wordsOf(a) != nullptr && a.microseconds >= 0.05 && numberOf(a, "predicted") > 0 && a.code != "one_thread";
}

}  // namespace

std::string adviceText(const window::Look& look, const model::Advice& a) {
  auto value = [&](const char* key) { return fmt::format("{:.3g}", numberOf(a, key)); };
  if (const auto* busiest = busiestOf(a))
    return say(look, busiest->what, fmt::format("{:.0f}", numberOf(a, "percent")));
  const AdviceWords* known = wordsOf(a);
  if (known == nullptr) return a.message;
  std::string text;
  if (a.code == "bank_conflicts") {
    const bool write = numberOf(a, "write") > 0;
    text = say(look, known->what, a.subject, value("ways"), look.say(write ? words::kWritten : words::kRead));
  } else if (a.code == "scattered_access") {
    text = say(look, known->what, a.subject, value("sectors"), value("needed"));
  } else if (a.code == "idle_lanes") {
    text = say(look, known->what, a.subject, value("lanes"));
  } else if (a.code == "repeated_work") {
    text = say(look, known->what, a.subject, fmt::format("{:.0f}", numberOf(a, "threads")));
  } else if (a.code == "few_blocks") {
    text = say(look, known->what, value("blocks"), value("multiprocessors"));
  } else {
    text = say(look, known->what, value("threads"));
  }
  const double predicted = numberOf(a, "predicted");
  if (!tellsTime(a)) return text;
  return say(look, words::kCosts, text, timeText(std::min(a.microseconds, predicted)), timeText(predicted));
}

bool AdviceList::previews(const PanelContext& context) const {
  const workbench::Preview* preview = context.workbench->preview();
  return !lines_.empty() && preview != nullptr && preview->lines == lines_;
}

bool AdviceList::draw(PanelContext& context, const workbench::ShownModel& shown, bool helps) {
  const window::Look& look = context.look;
  if (!previews(context)) model_ = shown.model();
  const std::vector<model::Advice>& advice = model_->memory.advice;
  bool applied = false;
  std::vector<std::string> texts;
  for (const model::Advice& a : advice) texts.push_back(adviceText(look, a));
  if (std::count_if(advice.begin(), advice.end(), tellsTime) > 1) drawSecond(look, look.say(words::kEachAlone));
  for (std::size_t i = 0; i < advice.size() && !applied; ++i) {
    const model::Advice& a = advice[i];
    if (!helps && a.code == "busiest") continue;  // stands there as a budget already
    // Accesses of one buffer that cost alike are told once.
    if (std::find(texts.begin(), texts.begin() + std::ptrdiff_t(i), texts[i]) != texts.begin() + std::ptrdiff_t(i) &&
        a.step.empty())
      continue;
    const auto times = std::count(texts.begin(), texts.end(), texts[i]);
    ImGui::PushFont(nullptr, window::kSecondarySize);
    drawWrapped(times > 1 && a.step.empty() ? say(look, words::kTimesOver, texts[i], times) : texts[i]);
    ImGui::SetItemTooltip("%s", look.tell(a.message).c_str());
    ImGui::PopFont();
    if (const std::string help = helpText(look, a); helps && !help.empty()) drawSecond(look, help);
    if (a.step.empty()) {
      if (helps) ImGui::Dummy({0, look.px(3)});
      continue;
    }
    ImGui::PushID(int(i));
    ImGui::BeginDisabled(!shown.isCurrent());  // advice on the state before isn't for this one
    applied = drawButton(context, a.step);
    ImGui::EndDisabled();
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    drawWrapped(a.step);
    ImGui::PopFont();
    ImGui::Dummy({0, look.px(3)});
  }
  if (!applied) follow(context);
  return applied;
}

bool AdviceList::drawButton(PanelContext& context, const std::string& step) {
  const window::Look& look = context.look;
  const bool clicked = window::smallButton(fmt::format("{}###apply", look.say(words::kApply)).c_str());
  if (clicked) {
    hovered_.clear();
    const std::string line = step;  // the advice belongs to the state that is left now
    if (previews(context)) context.workbench->endPreview();
    lines_.clear();
    context.workbench->apply(line);
    return true;
  }
  if (!ImGui::IsItemHovered() && !(ImGui::GetIO().NavVisible && ImGui::IsItemFocused())) return false;
  hovered_ = step;
  // Beside the mouse: a line of its own would move the button away from it.
  if (previews(context)) ImGui::SetTooltip("%s", previewOutcome(look, *context.workbench).c_str());
  return false;
}

// What the mouse is on is previewed; off it, what was previewed before. Where the preview moves the button away from a
// mouse at rest, it stays.
void AdviceList::follow(PanelContext& context) {
  workbench::Workbench& bench = *context.workbench;
  const std::string hovered = std::exchange(hovered_, "");
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!hovered.empty()) {
    if (hovered == lines_) return;
    if (lines_.empty()) outside_ = bench.preview() ? std::optional(bench.preview()->lines) : std::nullopt;
    lines_ = hovered;
    x_ = mouse.x, y_ = mouse.y;
    bench.preview(lines_);
  } else if (!lines_.empty() && (mouse.x != x_ || mouse.y != y_)) {
    leave(context);
  }
}

void AdviceList::leave(PanelContext& context) {
  if (lines_.empty()) return;
  workbench::Workbench& bench = *context.workbench;
  const bool ours = previews(context);
  lines_.clear();
  if (!ours) return;
  if (outside_) {
    bench.preview(*outside_);
  } else {
    bench.endPreview();
  }
}

}  // namespace loom::panels
