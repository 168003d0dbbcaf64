#include "app/panels/code/code_search.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <string_view>

#include "app/notation/columns.h"
#include "app/panels/code/view/code_rows.h"
#include "app/text/panels.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

namespace words = text::panels;

std::optional<int> CodeSearch::draw(const window::Look& look, const std::vector<std::string>& lines) {
  ImGui::SetNextItemWidth(look.px(200));
  if (focuses_) ImGui::SetKeyboardFocusHere();
  focuses_ = false;
  const bool entered =
      ImGui::InputTextWithHint("###find", look.say(words::kFind), &words_, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool edited = ImGui::IsItemEdited();
  found_.clear();
  for (int i = 0; !words_.empty() && i < int(lines.size()); ++i) {
    if (lines[std::size_t(i)].find(words_) != std::string::npos) found_.push_back(i);
  }
  if (edited) at_ = 0;
  if (entered && !found_.empty()) {
    at_ += ImGui::GetIO().KeyShift ? int(found_.size()) - 1 : 1;
    focuses_ = true;
  }
  if (!found_.empty()) at_ %= int(found_.size());
  std::optional<int> chosen;
  if ((edited || entered) && !found_.empty()) chosen = found_[std::size_t(at_)];
  ImGui::SameLine();
  const std::string where =
      fmt::format(fmt::runtime(look.say(words::kFound)), found_.empty() ? 0 : at_ + 1, found_.size());
  ImGui::TextUnformatted(where.c_str());
  // Escape of another panel ends something there.
  if (ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    isOpen_ = false;
    found_.clear();
  }
  return chosen;
}

void CodeSearch::drawFound(const window::Look& look, const std::string& text, int line, const session::CodeRows& rows,
                           ImVec2 at, float rowHeight) const {
  if (!std::binary_search(found_.begin(), found_.end(), line)) return;
  const int found = int(text.find(words_));
  // Around the words as far as the row goes that they begin in.
  for (int i = 0; i < rows.countOf(line); ++i) {
    const session::CodeRow& row = rows.rows()[std::size_t(rows.rowOf(line) + i)];
    if (found >= row.to && i + 1 < rows.countOf(line)) continue;
    const int from = std::max(found, row.from), to = std::clamp(found + int(words_.size()), from, row.to);
    const auto columnsOf = [&](int first, int last) {
      return notation::columnsOf(std::string_view(text).substr(std::size_t(first), std::size_t(last - first)));
    };
    const float x = at.x + float(row.column + columnsOf(row.from, from)) * characterWidth();
    const float width = float(std::max(1, columnsOf(from, to))) * characterWidth();
    const float y = at.y + float(i) * rowHeight;
    ImGui::GetWindowDrawList()->AddRect({x, y}, {x + width, y + rowHeight}, look.paint(window::Tone::kWarning));
    return;
  }
}

}  // namespace loom::panels
