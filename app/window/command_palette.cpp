#include "app/window/command_palette.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/ui/list_row.h"
#include "app/ui/short_step.h"
#include "app/ui/text.h"
#include "app/window/words.h"

namespace loom::window {

namespace words = text::window;

namespace {

constexpr const char* kPopup = "###commandpalette";
constexpr float kWidth = 620, kTop = 70;  // design px
constexpr int kMostRows = 14;

}  // namespace

void CommandPalette::open(Commands commands) {
  commands_ = std::move(commands);
  wanted_.clear();
  search();
  opening_ = true;
}

void CommandPalette::search() {
  found_ = find(wanted_, commands_);
  chosen_ = 0;
  moved_ = true;
}

void CommandPalette::draw(const Look& look) {
  if (std::exchange(opening_, false)) ImGui::OpenPopup(kPopup);
  if (!ImGui::IsPopupOpen(kPopup)) return;
  const ImGuiViewport* screen = ImGui::GetMainViewport();
  const float width = std::min(look.px(kWidth), screen->WorkSize.x - look.px(24));
  ImGui::SetNextWindowPos({screen->GetCenter().x - width / 2, screen->WorkPos.y + look.px(kTop)});
  ImGui::SetNextWindowSize({width, 0});
  if (!ImGui::BeginPopup(kPopup)) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  // The field would take the first Escape for itself.
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  ImGui::SetNextItemWidth(-1);
  // The field would let ↑ and ↓ go to Dear ImGui's navigation, and lose the keyboard to the list.
  auto takeArrows = [](ImGuiInputTextCallbackData* data) {
    static_cast<CommandPalette*>(data->UserData)->move(data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    return 0;
  };
  const bool entered = ImGui::InputTextWithHint(
      "###wanted", look.say(words::kCommandHint), &wanted_,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, takeArrows, this);
  if (ImGui::IsItemEdited()) search();
  if (found_.empty()) {
    ImGui::TextDisabled("%s", look.say(words::kNoCommand));
  } else {
    drawFound(look);
    if (entered) run(found_[std::size_t(chosen_)]);
  }
  ImGui::EndPopup();
}

void CommandPalette::drawFound(const Look& look) {
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, look.px(kRowGap));
  const float list = float(std::min<int>(kMostRows, int(found_.size()))) * listRowHeight();
  if (!ImGui::BeginChild("found", {0, list}, 0, ImGuiWindowFlags_NoNav)) {
    ImGui::EndChild();
    ImGui::PopStyleVar();
    return;
  }
  ImGui::PushStyleColor(ImGuiCol_Header, look.paint(Tone::kSelected, 0.18F));
  const float left = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x;
  int clicked = -1;
  beginListRows();
  for (int i = 0; i < int(found_.size()); ++i) {
    const Command& c = commands_[std::size_t(found_[std::size_t(i)])];
    ImGui::PushID(found_[std::size_t(i)]);
    ImGui::BeginDisabled(!c.enabled);
    if (ImGui::Selectable("###command", i == chosen_, ImGuiSelectableFlags_NoAutoClosePopups)) clicked = i;
    if (i == chosen_ && std::exchange(moved_, false)) keepRowInSight();
    if (!c.detail.empty()) panels::setItemTip(look, c.detail);
    const float keys = c.keys.empty() ? 0 : ImGui::CalcTextSize(c.keys.c_str()).x + look.px(12);
    ImGui::SameLine(left);
    ImGui::TextUnformatted(c.label.c_str());
    ImGui::SameLine(0, look.px(10));
    ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
    const std::string second = c.detail.empty() ? c.menu : c.menu + " · " + c.detail;
    ImGui::TextUnformatted(panels::ellipsized(second, left + room - keys - ImGui::GetCursorPosX()).c_str());
    if (keys > 0) {
      ImGui::SameLine(left + room - keys + look.px(12));
      ImGui::TextUnformatted(c.keys.c_str());
    }
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    ImGui::PopID();
  }
  endListRows();
  ImGui::PopStyleColor();
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (clicked >= 0) run(found_[std::size_t(clicked)]);
}

void CommandPalette::move(int rows) {
  if (found_.empty()) return;
  const int count = int(found_.size());
  chosen_ = (chosen_ + rows + count) % count;
  moved_ = true;
}

void CommandPalette::run(int index) {
  const Command& command = commands_[std::size_t(index)];
  if (!command.enabled) return;
  ImGui::CloseCurrentPopup();
  command.run();
}

}  // namespace loom::window
