#include "app/panels/plan/performance_lane.h"

#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/plan/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/small_button.h"
#include "app/ui/text.h"
#include "app/ui/time_text.h"

namespace loom::panels {

namespace words = text::plan;
using window::Look;
using window::Tone;

std::optional<PerformanceLane::Pressed> PerformanceLane::drawRow(PanelContext& context,
                                                                 const tune::SpeedupReport& step) const {
  const Look& look = context.look;
  const tune::SpeedupRow& row = tune::speedupRows()[std::size_t(step.speedup)];
  ImGui::PushID(row.id.data());
  std::optional<Pressed> pressed;
  const bool can = !step.lines.empty();
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(step.done ? Tone::kOk : can ? Tone::kText : Tone::kTextFaint));
  ImGui::TextUnformatted(fmt::format("{} {}", step.done ? "✓" : can ? "+" : "–", look.tell(row.title)).c_str());
  ImGui::PopStyleColor();
  if (step.microseconds && found_->microseconds) {
    ImGui::SameLine();
    drawSecond(look, fmt::format("{} → {}", timeText(*found_->microseconds), timeText(*step.microseconds)));
  }
  if (can) {
    ImGui::SameLine();
    if (window::smallButton(window::windowName(look.say(words::kPress), "apply").c_str()))
      pressed = {step.lines, row.title};
    setItemTip(look, (step.added.empty() ? step.lines : step.added));
  }
  drawSecond(look, look.tell(step.verdict));
  ImGui::PopID();
  return pressed;
}

std::optional<PerformanceLane::Pressed> PerformanceLane::draw(
    PanelContext& context, const tune::Tensorization& passes, const tune::TensorizeRequest& request,
    const std::shared_ptr<const Result<model::Device>>& device) {
  const Look& look = context.look;
  if (auto found = asked_.take()) found_ = std::move(*found);
  ImGui::Separator();
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  ImGui::TextUnformatted(fmt::format("5 {}", look.say(words::kPerformance)).c_str());
  ImGui::PopFont();
  drawSecond(look, look.say(words::kFasterQuestion));
  if (!wanted_) {
    wanted_ = window::smallButton(window::windowName(look.say(words::kPredict), "predict").c_str());
    return std::nullopt;
  }
  if (stale_) {
    stale_ = false;
    found_.reset();
    asked_.ask(
        [history = context.session->navigation().history(), passes, request,
         environment = context.session->documents().environment(), device] {
          return tune::performanceOf(history, passes, environment, device && *device ? &**device : nullptr, request);
        },
        context.wake);
  }
  if (!found_) {
    drawSecond(look, look.say(words::kPredicting));
    return std::nullopt;
  }
  if (passes.done < 4) drawSecond(look, look.say(words::kOnTheEnd));
  std::optional<Pressed> pressed;
  for (const tune::SpeedupReport& step : found_->steps)
    if (auto one = drawRow(context, step)) pressed = std::move(one);
  return pressed;
}

}  // namespace loom::panels
