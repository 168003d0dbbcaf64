#include "app/panels/advice.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <vector>

#include "app/panels/panel_text.h"
#include "app/panels/rich_text.h"
#include "app/text/memory.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

namespace words = text::memory;

namespace {

std::string adviceText(const window::Look& look, const model::Advice& a) {
  auto value = [&](const char* key) {
    auto found = a.numbers.find(key);
    return found == a.numbers.end() ? std::string("?") : fmt::format("{:.3g}", found->second);
  };
  if (a.code == "bank_conflicts")
    return say(look, words::kConflictAdvice, value("ways"), a.subject, value("microseconds"), value("predicted"));
  if (a.code == "scattered_access")
    return say(look, words::kScatteredAdvice, a.subject, value("sectors"), value("needed"));
  if (a.code == "idle_lanes") return say(look, words::kIdleAdvice, a.subject, value("lanes"));
  if (a.code == "few_blocks") return say(look, words::kFewBlocksAdvice, value("blocks"), value("multiprocessors"));
  return a.message;
}

}  // namespace

bool drawAdvice(PanelContext& context, const std::vector<model::Advice>& advice) {
  const window::Look& look = context.look;
  bool applied = false;
  std::vector<std::string> texts;
  for (const model::Advice& a : advice) texts.push_back(adviceText(look, a));
  for (std::size_t i = 0; i < advice.size() && !applied; ++i) {
    const model::Advice& a = advice[i];
    // Accesses of one buffer that cost alike are told once.
    if (std::find(texts.begin(), texts.begin() + std::ptrdiff_t(i), texts[i]) != texts.begin() + std::ptrdiff_t(i) &&
        a.step.empty())
      continue;
    const auto times = std::count(texts.begin(), texts.end(), texts[i]);
    drawSecond(look, times > 1 && a.step.empty() ? say(look, words::kTimesOver, texts[i], times) : texts[i]);
    ImGui::SetItemTooltip("%s", look.tell(a.message).c_str());
    if (a.step.empty()) continue;
    ImGui::PushID(int(i));
    applied = ImGui::SmallButton(fmt::format("{}###apply", look.say(words::kApply)).c_str());
    ImGui::PopID();
    ImGui::SameLine();
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    drawWrapped(a.step);
    ImGui::PopFont();
    ImGui::Dummy({0, look.px(3)});
    if (applied) context.workbench->apply(std::string(a.step));  // the advice belongs to the state that is left now
  }
  return applied;
}

}  // namespace loom::panels
