#include "app/widgets/make_fast_offer.h"

#include <imgui.h>

#include "app/ui/labelled_id.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/window/dialogs/make_fast_words.h"

namespace loom::panels {

namespace words = text::make_fast;

void drawMakeFast(PanelContext& context) {
  const window::Look& look = context.look;
  const bool clicked = ImGui::Button(window::windowName(look.say(words::kCommand), "makefast").c_str());
  drawWrappedTip(look, look.say(words::kCommandHelp));
  if (clicked && context.command != nullptr) *context.command = "makefast";
}

float makeFastLineHeight(const window::Look& look) { return ImGui::GetFrameHeight() + look.px(10); }

void drawMakeFastLine(PanelContext& context) {
  const window::Look& look = context.look;
  ImGui::SetCursorPos({ImGui::GetCursorPosX() + look.px(6), ImGui::GetCursorPosY() + look.px(5)});
  drawMakeFast(context);
  ImGui::SameLine(0, look.px(8));
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  const float room = ImGui::GetContentRegionAvail().x - look.px(6);
  const std::string whole = look.say(words::kOffer), shown = ellipsized(whole, room);
  if (shown != whole) {  // in two smaller lines, where these have room
    const float most = makeFastLineHeight(look);
    ImGui::PushFont(nullptr, window::kUnitSize);
    const std::string lines = wrapped(whole, room);
    const float height = ImGui::CalcTextSize(lines.c_str()).y;
    const bool fits = height <= most;
    if (fits) {
      ImGui::SetCursorPosY(ImGui::GetCursorPosY() + (ImGui::GetFrameHeight() - height) / 2);
      ImGui::TextUnformatted(lines.c_str());
    }
    ImGui::PopFont();
    if (fits) return ImGui::PopStyleColor();
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  if (shown != whole) drawWrappedTip(look, whole);
}

}  // namespace loom::panels
