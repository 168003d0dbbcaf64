#include "app/panels/console/panel.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

#include "app/panels/console/words.h"
#include "app/session/session.h"
#include "app/ui/look.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"
#include "app/widgets/empty_state.h"
#include "app/widgets/refusal.h"
#include "core/notebook/notebook.h"

namespace loom::panels {

namespace words = text::console;
using window::Tone;

namespace {

constexpr int kMostInputLines = 5;

int lineCount(const std::string& text) { return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

}  // namespace

void ConsolePanel::draw(PanelContext& context) {
  if (!context.hasProgram()) {
    drawNoProgram(context);
    return;
  }
  if (context.consoleProposal != nullptr && !context.consoleProposal->empty()) {
    input_ = std::move(*context.consoleProposal);
    context.consoleProposal->clear();
    focus_ = true;
  }
  focus_ |= context.called;
  ImGui::PushFont(context.look.fonts.code, window::kSecondarySize);
  const float row = ImGui::GetTextLineHeight();
  ImGui::PopFont();
  const int rows = std::clamp(lineCount(input_), 1, kMostInputLines);
  const float hint = ImGui::GetTextLineHeightWithSpacing();
  const float input = row * static_cast<float>(rows) + 2 * ImGui::GetStyle().FramePadding.y;
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  drawLog(context, std::max(row * 2, ImGui::GetContentRegionAvail().y - input - hint - 2 * gap));
  drawInput(context, input);
}

void ConsolePanel::drawLog(PanelContext& context, float height) {
  const window::Look& look = context.look;
  if (ImGui::BeginChild("###log", {0, height})) {
    if (log_.empty()) {
      drawEmpty(context, words::kEmpty);
    }
    for (std::size_t i = 0; i < log_.size(); ++i) {
      const Entry& entry = log_[i];
      ImGui::PushID(static_cast<int>(i));
      ImGui::PushFont(look.fonts.code, window::kSecondarySize);
      drawWrapped(entry.lines);
      ImGui::PopFont();
      if (entry.made > 0 || !entry.refusal) {
        const std::string outcome =
            entry.made == 0   ? look.say(words::kNoStep)
            : entry.made == 1 ? fmt::format(fmt::runtime(look.say(words::kMade)), entry.number)
                              : fmt::format(fmt::runtime(look.say(words::kMadeSeveral)), entry.made, entry.number);
        ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextSecond));
        ImGui::TextUnformatted(("→ " + outcome).c_str());
        ImGui::PopStyleColor();
      }
      if (entry.refusal) {
        drawRefusal(context, *entry.refusal, entry.lines, i + 1 == log_.size());
      }
      ImGui::Separator();
      ImGui::PopID();
    }
    if (atEnd_) {
      ImGui::SetScrollHereY(1);
      atEnd_ = false;
    }
  }
  ImGui::EndChild();
}

void ConsolePanel::drawInput(PanelContext& context, float height) {
  const window::Look& look = context.look;
  if (focus_) {
    ImGui::SetKeyboardFocusHere();
    focus_ = false;
  }
  auto onEdit = [](ImGuiInputTextCallbackData* data) {
    auto& self = *static_cast<ConsolePanel*>(data->UserData);
    if (std::exchange(self.selects_, false)) data->SelectAll();
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::size_t cursor = static_cast<std::size_t>(data->CursorPos);
    const bool firstLine = text.substr(0, cursor).find('\n') == std::string_view::npos;
    const bool lastLine = text.substr(cursor).find('\n') == std::string_view::npos;
    const int direction = ImGui::IsKeyPressed(ImGuiKey_UpArrow) && firstLine    ? -1
                          : ImGui::IsKeyPressed(ImGuiKey_DownArrow) && lastLine ? 1
                                                                                : 0;
    if (direction != 0) {
      std::string shown(text);
      std::swap(self.input_, shown);
      const bool moved = self.browse(direction);
      std::swap(self.input_, shown);
      if (moved) {
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, shown.c_str());
      }
    }
    return 0;
  };
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue |
                                         ImGuiInputTextFlags_CtrlEnterForNewLine | ImGuiInputTextFlags_CallbackAlways;
  // The label says what the field is for; screen readers and tests find it by the id.
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  const bool entered = ImGui::InputTextMultiline("###input", &input_, {-1, height}, kFlags, onEdit, this);
  ImGui::PopFont();
  ImGui::PushFont(nullptr, window::kUnitSize);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(Tone::kTextFaint));
  fittedText(look.say(words::kHint), ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (entered && input_.find_first_not_of(" \t\n") != std::string::npos) {
    submit(context);
  }
}

void ConsolePanel::submit(PanelContext& context) {
  if (notebook::holdsProgram(input_)) {  // a program, perhaps with its schedule: that opens by itself
    context.session->documents().openFunction(std::exchange(input_, {}), "pasted.py");
    browsed_ = -1;
    focus_ = true;
    return;
  }
  const session::ApplyOutcome applied = context.session->edits().apply(input_);
  const int number = context.session->navigation().history().node(applied.node).number;
  log_.push_back({input_, applied.made, number, applied.refusal});
  // What was refused stays to be mended, selected: another line that is typed takes its place.
  selects_ = applied.refusal.has_value();
  if (!selects_) input_.clear();
  browsed_ = -1;
  atEnd_ = true;
  focus_ = true;
}

bool ConsolePanel::browse(int direction) {
  const int count = static_cast<int>(log_.size());
  const int from = browsed_ < 0 ? count : browsed_;
  const int to = from + direction;
  if (to < 0 || to > count || (browsed_ < 0 && direction > 0)) {
    return false;
  }
  if (browsed_ < 0) {
    typed_ = input_;
  }
  browsed_ = to == count ? -1 : to;
  input_ = to == count ? typed_ : log_[static_cast<std::size_t>(to)].lines;
  return true;
}

}  // namespace loom::panels
