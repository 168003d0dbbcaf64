#include "app/ui/text.h"

#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/text/named.h"
#include "app/ui/markdown.h"
#include "app/ui/short_step.h"

namespace loom::panels {

std::string runsText(const std::set<int>& numbers) {
  std::vector<std::string> runs;
  for (auto from = numbers.begin(); from != numbers.end();) {
    auto to = from;
    while (std::next(to) != numbers.end() && *std::next(to) == *to + 1) ++to;
    runs.push_back(from == to ? std::to_string(*from) : fmt::format("{}–{}", *from, *to));
    from = std::next(to);
  }
  if (runs.empty()) return "–";
  if (runs.size() > 4) return fmt::format("{}, {}, …, {}", runs[0], runs[1], runs.back());
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::string named(const window::Look& look, std::string_view name, std::string_view what) {
  return say(look, text::kNamed, name, what);
}

std::string provenanceText(const window::Look& look, const Message& how) {
  return notation::withGroups(look.tell(how));
}

std::string sentenceText(const window::Look& look, const Message& message) {
  return notation::withGroups(look.tellSentence(message));
}

void drawHeading(const window::Look& look, const std::string& text) {
  ImGui::PushFont(look.fonts.strong, window::kTextSize);
  drawWrapped(text);
  ImGui::PopFont();
}

void drawSecond(const window::Look& look, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  ImGui::PushFont(nullptr, window::kSecondarySize);
  drawWrapped(text);
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

void drawPreface(const window::Look& look, const std::string& text, const std::string& tip) {
  constexpr float kLow = 320;  // design px
  if (ImGui::GetWindowHeight() >= look.px(kLow)) {
    drawSecond(look, text);
    return drawWrappedTip(look, tip);
  }
  ImGui::PushFont(nullptr, window::kSecondarySize);
  const std::string shown = ellipsized(text, ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleColor(ImGuiCol_Text, look.paint(window::Tone::kTextSecond));
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  drawWrappedTip(look, shown == text ? tip : tip.empty() ? text : text + "\n\n" + tip);
}

void showTip(const window::Look& look, const std::string& text) {
  if (text.empty() || !ImGui::BeginTooltip()) return;
  ImGui::PushFont(look.fonts.text, window::kTextSize);
  ImGui::PushTextWrapPos(look.px(420));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  ImGui::EndTooltip();
}

void setItemTip(const window::Look& look, const std::string& text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) showTip(look, text);
}

void drawWrappedTip(const window::Look& look, const std::string& text) {
  if (!text.empty() && ImGui::IsItemHovered()) showTip(look, text);
}

void drawRight(const std::string& text) {
  // Two pixels: places end between pixels, and what comes to an edge looks cut.
  const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x - 2;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
  ImGui::TextUnformatted(text.c_str());
}

void drawFigureCell(const window::Look& look, const std::string& text) {
  ImGui::TableNextColumn();
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  drawRight(text);
  ImGui::PopFont();
}

float characterWidth() { return ImGui::GetFontBaked()->GetCharAdvance('0'); }

}  // namespace loom::panels
