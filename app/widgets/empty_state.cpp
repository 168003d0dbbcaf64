#include "app/widgets/empty_state.h"

#include <imgui.h>

#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/window/words.h"

namespace loom::panels {

void drawEmpty(const PanelContext& context, const text::Text& why) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.look.paint(window::Tone::kTextSecond));
  drawWrapped(context.look.say(why));
  ImGui::PopStyleColor();
}

void drawNoProgram(const PanelContext& context) {
  const bool opening = context.session != nullptr && context.session->documents().isOpening();
  drawEmpty(context, opening ? text::panels::kLoading : text::window::kNoProgram);
}

}  // namespace loom::panels
