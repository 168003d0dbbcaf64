#include "app/panels/empty.h"

#include <imgui.h>

#include "app/panels/rich_text.h"
#include "app/text/panels.h"
#include "app/text/window.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {

void drawEmpty(const PanelContext& context, const text::Text& why) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.look.paint(window::Tone::kTextSecond));
  drawWrapped(context.look.say(why));
  ImGui::PopStyleColor();
}

void drawNoProgram(const PanelContext& context) {
  const bool opening = context.workbench != nullptr && context.workbench->opening();
  drawEmpty(context, opening ? text::panels::kLoading : text::window::kNoProgram);
}

}  // namespace loom::panels
