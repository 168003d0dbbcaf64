#include "app/panels/history/state_menu.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/panels/history/words.h"
#include "app/session/session.h"
#include "app/text/comparing.h"
#include "app/text/panels.h"
#include "app/ui/list_row.h"
#include "app/ui/look.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/widgets/change_text.h"
#include "app/widgets/state_text.h"

namespace loom::panels {

namespace words = text::panels;
using window::Tone;

void StateMenu::draw(const window::Look& look, session::Session& session, const document::HistoryRow& row,
                     int& edited) {
  const int node = row.node;
  if (!ImGui::BeginPopupContextItem("###menu")) return;
  drawSecond(look, ellipsized(stateLabel(look, session.navigation().history(), node), look.px(260)));
  if (ImGui::IsWindowAppearing()) {
    name_ = session.navigation().history().node(node).name;
    note_ = session.navigation().history().node(node).note;
  }
  auto label = [&](const text::Text& words, const char* id) { return std::string(look.say(words)) + "###" + id; };
  ImGui::PushFont(look.fonts.text, 0);  // the rows' own face is the code's
  ImGui::PushStyleColor(ImGuiCol_FrameBg, look.paint(Tone::kPanel));
  ImGui::SetNextItemWidth(look.px(200));
  if (ImGui::InputText(label(words::kRename, "name").c_str(), &name_)) session.edits().rename(node, name_);
  ImGui::SetNextItemWidth(look.px(200));
  if (ImGui::InputText(label(words::kNote, "note").c_str(), &note_)) session.edits().annotate(node, note_);
  ImGui::PopStyleColor();
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look.px(window::kRowGap));
  bool pinned = session.navigation().history().node(node).pinned;
  if (ImGui::MenuItem(label(text::history::kEdit, "editstep").c_str(), "F2", false, node > 0)) edited = node;
  const bool compared = session.comparison().node() == node;
  if (ImGui::MenuItem(label(text::comparing::kCompareWith, "compare").c_str(), nullptr, compared)) {
    compared ? session.comparison().end() : session.comparison().with(node);
  }
  if (ImGui::MenuItem(label(words::kPin, "pin").c_str(), nullptr, &pinned)) session.edits().pin(node, pinned);
  const int after = int(session.navigation().history().statesFrom(row.first).size()) - row.steps;
  std::string removes = after > 0 ? say(look, text::history::kDeleteAll, after) : look.say(words::kDelete);
  if (row.fold >= 0) {
    removes = after > 0 ? say(look, text::history::kDeleteStepsAll, row.steps, after)
                        : say(look, text::history::kDeleteSteps, row.steps);
  }
  const char* keys = row.fold < 0 ? "Del" : nullptr;  // which deletes the current state
  if (ImGui::MenuItem((removes + "###delete").c_str(), keys, false, row.first > 0)) session.edits().remove(row.first);
  const auto undo = session.edits().undoable();
  const std::string undoes = changeText(look, undo, true) + "###undo";
  if (ImGui::MenuItem(undoes.c_str(), "Ctrl+Z", false, undo.has_value())) session.edits().undo();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::EndPopup();
}

}  // namespace loom::panels
