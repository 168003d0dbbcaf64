#include "app/panels/roofline/ceiling_button.h"

#include <imgui.h>

#include "app/panels/performance/words.h"
#include "app/session/session.h"
#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::performance;
using window::Look;

namespace {

std::string labelOf(const Look& look, const session::ModelDevice::Ceilings& ceilings) {
  if (ceilings.underWay) return say(look, words::kMeasuringCeilings, ceilings.done, ceilings.of);
  return look.say(ceilings.measured.empty() ? words::kMeasureCeilings : words::kMeasureCeilingsAgain);
}

}  // namespace

float ceilingButtonWidth(PanelContext& context, const std::string& device) {
  const session::Session& session = *context.session;
  const auto& here = session.modelDevice().status().here;
  if (!here || here->cpu || device != here->name) return 0;
  return ImGui::CalcTextSize(labelOf(context.look, session.modelDevice().ceilings()).c_str()).x + context.look.px(24);
}

void drawCeilingButton(PanelContext& context, const std::string& device) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  const session::ModelDevice::Ceilings& ceilings = session.modelDevice().ceilings();
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {look.px(6), 0});
  ImGui::BeginDisabled(ceilings.underWay);
  if (ImGui::Button(window::windowName(labelOf(look, ceilings).c_str(), "measureceilings").c_str()))
    session.modelDevice().measureCeilings();
  ImGui::EndDisabled();
  ImGui::PopStyleVar();
  std::string tip = say(look, words::kMeasureCeilingsTip, device);
  if (!ceilings.measured.empty()) tip += "\n" + say(look, words::kCeilingsKnown, ceilings.measured);
  if (ceilings.problem) tip += "\n" + say(look, words::kCeilingsProblem, look.tell(ceilings.problem->message));
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) showTip(look, tip);
  if (!ceilings.problem) return;
  ImGui::SameLine(0, look.px(4));
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kWarning));
  ImGui::TextUnformatted("!");
  ImGui::PopStyleColor();
  setItemTip(look, tip);
}

}  // namespace loom::panels
