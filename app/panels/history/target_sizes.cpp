#include "app/panels/history/target_sizes.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/panels/sizes/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::sizes;

void TargetSizes::draw(PanelContext& context) {
  session::Session& session = *context.session;
  const auto choices = session.edits().sizeChoices();
  if (choices.front().numbers.empty()) return;
  const window::Look& look = context.look;
  if (opened_ != session.opened()) {
    opened_ = session.opened();
    text_ = session.navigation().history().sizes().text();
    error_ = {};
  }
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(look.say(words::kNumbers));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("###numbers", choices.front().text.c_str(), &text_,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
    const auto named = session.edits().nameSizes(text_);
    error_ = named ? Message() : named.error().message;
    opened_ = session.opened();
  }
  const std::string defaults = document::defaultsIn(choices.front());
  const std::string note = !error_.empty()    ? look.tell(error_)
                           : defaults.empty() ? say(look, words::kShownAt, choices.front().text)
                                              : say(look, words::kShownByDefault, choices.front().text);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(error_.empty() ? window::Tone::kTextSecond : window::Tone::kError));
  drawWrapped(note, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
}

}  // namespace loom::panels
