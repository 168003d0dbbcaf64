// Two states in one panel: the same panel once more, which is told that the other state is the current one.
#include "app/ui/text.h"
#include "app/window/side_by_side.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/widgets/state_text.h"
#include "core/tune/step_form.h"

namespace loom::window {
namespace {

constexpr float kHead = 20, kBetween = 9;  // design px
constexpr float kWide = 640;               // from which two halves stand beside each other whatever their height

// Which state a half is of. Its height doesn't depend on the state.
void drawHead(const panels::PanelContext& context, bool other, float width) {
  const Look& look = context.look;
  const ImVec2 from = ImGui::GetCursorScreenPos(), to{from.x + width, from.y + look.px(kHead - 4)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(from, {from.x + look.px(3), to.y}, look.paint(other ? Tone::kChanged : Tone::kSelected));
  ImGui::PushFont(nullptr, kSecondarySize);
  const session::Session& session = *context.session;
  const std::string name = panels::stateLabel(look, session.navigation().history(), session.navigation().current()) +
                           panels::timeAfterName(session, session.navigation().current());
  const std::string text = panels::ellipsized(name, width - look.px(10));
  list->AddText({from.x + look.px(8), from.y + (to.y - from.y - ImGui::GetFontSize()) / 2},
                look.paint(other ? Tone::kChanged : Tone::kText), text.c_str());
  ImGui::Dummy({width, look.px(kHead)});
  if (text != name) panels::setItemTip(look, name);
  ImGui::PopFont();
}

void drawHalf(panels::Panel& panel, panels::PanelContext context, bool other, ImVec2 size) {
  context.beside = true;
  ImGui::BeginGroup();
  drawHead(context, other, size.x);
  const float height = ImGui::GetStyle().ItemSpacing.y + context.look.px(kHead);
  if (ImGui::BeginChild(other ? "###other" : "###own", {size.x, std::max(1.0F, size.y - height)}, 0,
                        ImGuiWindowFlags_NoBackground)) {
    panel.draw(context);
  }
  ImGui::EndChild();
  ImGui::EndGroup();
}

}  // namespace

void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context) {
  const Look& look = context.look;
  session::Session& session = *context.session;
  panel.shareOptions(twin);
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float between = look.px(kBetween);
  const bool beside = room.x >= look.px(kWide) || room.x > room.y;
  const ImVec2 half =
      beside ? ImVec2{std::floor((room.x - between) / 2), room.y} : ImVec2{room.x, std::floor((room.y - between) / 2)};
  {
    const session::Comparison::OtherSide side(session.comparison());
    // What only one of the two may take, the panel itself does.
    panels::PanelContext there = context;
    std::string lines;
    tune::StepForm form;
    there.spotlight = nullptr;
    there.called = false;
    if (context.consoleProposal) there.consoleProposal = &lines;
    if (context.formProposal) there.formProposal = &form;
    drawHalf(twin, there, true, half);
    const bool proposes = !lines.empty() || form.row != nullptr;
    if (proposes) session.navigation().exchangeCompared();  // it is for that state
    if (!lines.empty()) *context.consoleProposal = lines;
    if (form.row != nullptr) *context.formProposal = form;
  }
  const ImVec2 second = beside ? ImVec2{from.x + half.x + between, from.y} : ImVec2{from.x, from.y + half.y + between};
  const ImVec2 middle{second.x - between / 2, second.y - between / 2};
  ImGui::GetWindowDrawList()->AddLine(beside ? ImVec2{middle.x, from.y} : ImVec2{from.x, middle.y},
                                      beside ? ImVec2{middle.x, from.y + room.y} : ImVec2{from.x + room.x, middle.y},
                                      look.paint(Tone::kLine));
  ImGui::SetCursorScreenPos(second);
  drawHalf(panel, context, false, half);
}

}  // namespace loom::window
