#include "app/panels/empty.h"

#include <imgui.h>

#include "app/panels/rich_text.h"
#include "app/window/look.h"

namespace loom::panels {

void drawEmpty(const PanelContext& context, const text::Text& why) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.look.paint(window::Tone::kTextSecond));
  drawWrapped(context.look.say(why));
  ImGui::PopStyleColor();
}

}  // namespace loom::panels
