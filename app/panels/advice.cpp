#include "app/panels/advice.h"

#include <fmt/format.h>
#include <imgui.h>

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
  for (std::size_t i = 0; i < advice.size() && !applied; ++i) {
    const model::Advice& a = advice[i];
    drawSecond(look, adviceText(look, a));
    ImGui::SetItemTooltip("%s", look.tell(a.message).c_str());
    if (a.step.empty()) continue;
    ImGui::PushFont(look.fonts.code, window::kUnitSize);
    drawWrapped(a.step);
    ImGui::PopFont();
    ImGui::PushID(int(i));
    if (ImGui::SmallButton(fmt::format("{}###apply", look.say(words::kApply)).c_str())) {
      context.workbench->apply(std::string(a.step));  // the advice belongs to the state that is left now
      applied = true;
    }
    ImGui::PopID();
  }
  return applied;
}

}  // namespace loom::panels
