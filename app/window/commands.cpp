#include "app/window/commands.h"

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <sstream>

#include "app/notation/lower_case.h"
#include "app/window/layouts.h"

namespace loom::window {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Whether the letters of `word` stand in `text` in their order, the first of them where a word begins.
bool areLettersOf(const std::string& text, const std::string& word) {
  for (std::size_t start = text.find(word[0]); start != std::string::npos; start = text.find(word[0], start + 1)) {
    if (start > 0 && isWord(text[start - 1])) continue;
    std::size_t at = start;
    for (std::size_t i = 1; i < word.size() && at != std::string::npos; ++i) at = text.find(word[i], at + 1);
    if (at != std::string::npos) return true;
  }
  return false;
}

int matchWord(const std::string& word, const Command& command) {
  constexpr int kStart = 8, kWordStart = 6, kWithin = 4, kElsewhere = 2, kLetters = 1;
  const std::string label = notation::lowerCase(command.label);
  const std::size_t at = label.find(word);
  if (at == 0) return kStart;
  for (std::size_t i = at; i != std::string::npos; i = label.find(word, i + 1)) {
    if (!isWord(label[i - 1])) return kWordStart;
  }
  if (at != std::string::npos) return kWithin;
  for (const std::string* text : {&command.menu, &command.id, &command.detail}) {
    if (notation::lowerCase(*text).find(word) != std::string::npos) return kElsewhere;
  }
  return areLettersOf(label, word) ? kLetters : 0;
}

}  // namespace

void drawItems(const Commands& commands) {
  for (const Command& c : commands) {
    if (c.apart) ImGui::Separator();
    const char* keys = c.keys.empty() ? nullptr : c.keys.c_str();
    // The keys of what can't be chosen now are faded with it, not a second time.
    const ImGuiCol faint = c.enabled ? ImGuiCol_TextDisabled : ImGuiCol_Text;
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, ImGui::GetStyleColorVec4(faint));
    const bool clicked = ImGui::MenuItem(windowName(c.label.c_str(), c.id.c_str()).c_str(), keys, c.chosen, c.enabled);
    ImGui::PopStyleColor();
    constexpr ImGuiHoveredFlags kAlso = ImGuiHoveredFlags_ForTooltip | ImGuiHoveredFlags_AllowWhenDisabled;
    if (!c.enabled && !c.detail.empty() && ImGui::IsItemHovered(kAlso)) ImGui::SetTooltip("%s", c.detail.c_str());
    if (clicked) c.run();
  }
}

int match(std::string_view wanted, const Command& command) {
  std::istringstream words(notation::lowerCase(std::string(wanted)));
  int sum = 1;
  for (std::string word; words >> word;) {
    const int one = matchWord(word, command);
    if (one == 0) return 0;
    sum += one;
  }
  return sum;
}

std::vector<int> find(std::string_view wanted, const Commands& commands) {
  std::vector<int> scores;
  for (const Command& c : commands) scores.push_back(match(wanted, c));
  std::vector<int> found(commands.size());
  std::iota(found.begin(), found.end(), 0);
  std::erase_if(found, [&](int i) { return scores[std::size_t(i)] == 0; });
  std::stable_sort(found.begin(), found.end(),
                   [&](int a, int b) { return scores[std::size_t(a)] > scores[std::size_t(b)]; });
  return found;
}

}  // namespace loom::window
