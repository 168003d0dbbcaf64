// What of the code is folded away: loops and blocks without a change, or those that the user folded.
#include <fmt/format.h>
#include <imgui.h>

#include <map>
#include <string_view>

#include "app/panels/code/code_drawing.h"
#include "app/panels/code/code_view.h"
#include "app/panels/code/words.h"
#include "app/ui/look.h"
#include "app/ui/text.h"

namespace loom::panels {

using script::Mark;
using window::Tone;

bool CodeView::isFoldable(const Code& code, int line) {
  return code.foldEnds != nullptr && line >= 0 && line < int(code.foldEnds->size()) &&
         (*code.foldEnds)[std::size_t(line)] > line;
}

// Folds survive steps: a line is known by what it is about, and which of the lines about it that it is.
std::vector<CodeView::FoldKey> CodeView::foldKeys(const Code& code) {
  std::map<ir::Id, int> seen;
  std::vector<FoldKey> keys;
  for (std::size_t i = 0; i < code.lines.size(); ++i) {
    const ir::Id id = i < code.ids.size() && !code.ids[i].empty() ? code.ids[i].front() : ir::Id{};
    keys.emplace_back(id, isFoldable(code, int(i)) ? ++seen[id] : 0);
  }
  return keys;
}

void CodeView::setFolded(const Code& code, int line, bool folded) {
  const FoldKey key = foldKeys(code)[std::size_t(line)];
  folded ? (void)folded_.insert(key) : (void)folded_.erase(key);
  laidOut_ = false;
}

// Everything without a change, as far out as it goes; nothing where there is no change.
void CodeView::foldUnchanged(const Code& code) {
  folded_.clear();
  laidOut_ = false;
  if (code.foldEnds == nullptr || code.diff.same()) return;
  const std::vector<FoldKey> keys = foldKeys(code);
  for (int i = 0; i < int(code.lines.size()); ++i) {
    if (!isFoldable(code, i) || changesIn(code, i, (*code.foldEnds)[std::size_t(i)]) > 0) continue;
    folded_.insert(keys[std::size_t(i)]);
    i = (*code.foldEnds)[std::size_t(i)];
  }
}

int CodeView::changesIn(const Code& code, int first, int last) {
  int changes = 0;
  for (int i = first; i <= last && i < int(code.diff.marks.size()); ++i) {
    changes += code.diff.marks[std::size_t(i)] != Mark::kSame ? 1 : 0;
  }
  return changes;
}

// The blocks that lines of TVMScript define, at most two, then a sign that there are more.
std::vector<std::string> CodeView::blocksIn(const Code& code, int first, int last) {
  std::vector<std::string> names;
  constexpr std::string_view kBlock = "with T.block(\"";
  for (int i = first; i <= last && code.kind == CodeKind::kPython; ++i) {
    const std::string& line = code.lines[std::size_t(i)];
    const std::size_t at = line.find(kBlock);
    if (at == std::string::npos) continue;
    const std::size_t from = at + kBlock.size();
    names.push_back(names.size() < 2 ? line.substr(from, line.find('"', from) - from) : "…");
    if (names.size() > 2) break;
  }
  return names;
}

void CodeView::unfoldAll() {
  folded_.clear();
  onlyChanges_ = laidOut_ = false;
}

// Behind a folded line: how much is in it, and how much of that changed. Before it, the sign that folds and unfolds.
void CodeView::drawFold(const window::Look& look, const Code& code, int line, ImVec2 at, float gutter) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool folded = rows_.form().folded.count(line) != 0;
  ImGui::SetCursorScreenPos({at.x + gutter - look.px(14), at.y});
  if (ImGui::InvisibleButton("###fold", {look.px(11), rowHeight_})) setFolded(code, line, !folded);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", look.say(folded ? text::code::kUnfold : text::code::kFold));
  if (!folded &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
    return;
  const ImU32 colour = look.paint(ImGui::IsItemHovered() || folded ? Tone::kText : Tone::kTextFaint);
  const float x = at.x + gutter - look.px(8), y = at.y + rowHeight_ / 2, half = look.px(3);
  if (folded) {
    list->AddTriangleFilled({x - half, y - half}, {x - half, y + half}, {x + half, y}, colour);
  } else {
    list->AddTriangleFilled({x - half, y - half}, {x + half, y - half}, {x, y + half}, colour);
    return;
  }
  const int last = (*code.foldEnds)[std::size_t(line)];
  const session::CodeRow& row = rows_.rows()[std::size_t(rows_.rowOf(line) + rows_.countOf(line) - 1)];
  const ImVec2 from{at.x + gutter + float(row.column + row.width + 1) * characterWidth(),
                    at.y + float(rows_.countOf(line) - 1) * rowHeight_};
  std::string inside = "… " + say(look, text::code::kLines, last - line);
  for (const std::string& name : blocksIn(code, line + 1, last)) inside += " · " + name;
  const int changes = changesIn(code, line + 1, last);
  const std::string changed = changes > 0 ? fmt::format("~{}", changes) : "";
  ImGui::PushFont(look.fonts.text, window::kUnitSize);
  const float width = ImGui::CalcTextSize(inside.c_str()).x, more = ImGui::CalcTextSize(changed.c_str()).x;
  const float end = from.x + width + more + look.px(changes > 0 ? 16 : 10);
  list->AddRectFilled({from.x, from.y + 1}, {end, from.y + rowHeight_ - 1}, look.paint(Tone::kHovered), look.px(2));
  list->AddText({from.x + look.px(5), from.y}, look.paint(Tone::kTextSecond), inside.c_str());
  if (changes > 0) list->AddText({from.x + width + look.px(10), from.y}, look.paint(Tone::kChanged), changed.c_str());
  ImGui::PopFont();
  ImGui::SetCursorScreenPos(from);
  if (ImGui::InvisibleButton("###inside", {end - from.x, rowHeight_})) setFolded(code, line, false);
}

}  // namespace loom::panels
