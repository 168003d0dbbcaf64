#include "app/panels/code_view.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "app/panels/spotlight.h"
#include "app/text/panels.h"
#include "app/window/look.h"
#include "app/workbench/workbench.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using window::Tone;
using workbench::Mark;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// What moves and what multiplies carries the hue of its memory or unit; registers stand back.
Tone toneOfMachineWord(std::string_view word) {
  auto begins = [&](std::initializer_list<std::string_view> stems) {
    return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) { return word.starts_with(stem); });
  };
  if (begins({"LDG", "STG", "LDC"}) || word == "global") return Tone::kGlobal;
  if (begins({"LDS", "STS"}) || word == "shared") return Tone::kShared;
  if (begins({"LDL", "STL"}) || word == "local") return Tone::kError;  // spilled
  if (begins({"HMMA", "IMMA", "wmma", "mma", "ldmatrix"})) return Tone::kTensorCore;
  if (begins({"BAR", "bar"})) return Tone::kWarning;
  const bool registerName =
      word.size() > 1 &&
      (word[0] == 'R' || word[0] == 'r' || word[0] == 'f' || word[0] == 'p' || word[0] == 'P' || word[0] == 'U') &&
      std::isdigit(static_cast<unsigned char>(word.back())) != 0 && word.size() < 6;
  return registerName || std::isdigit(static_cast<unsigned char>(word[0])) != 0 ? Tone::kTextSecond : Tone::kText;
}

Tone toneOfWord(std::string_view word, CodeKind kind) {
  static const std::set<std::string_view> python = {"def",  "for",    "in",   "with", "if",     "else",
                                                    "from", "import", "as",   "T",    "return", "class",
                                                    "True", "False",  "None", "and",  "or"};
  static const std::set<std::string_view> cuda = {"extern",   "__global__",  "__shared__", "__launch_bounds__",
                                                  "void",     "for",         "if",         "else",
                                                  "const",    "float",       "half",       "int",
                                                  "return",   "char",        "signed",     "uint4",
                                                  "float4",   "using",       "namespace",  "struct",
                                                  "unsigned", "__restrict__"};
  if (kind == CodeKind::kPtx || kind == CodeKind::kSass) return toneOfMachineWord(word);
  if (kind == CodeKind::kCuda ? cuda.count(word) != 0 : python.count(word) != 0) return Tone::kTextFaint;
  // Hue belongs to hardware axes: the names of threads carry theirs.
  if (word == "threadIdx") return Tone::kThreadX;
  if (word == "blockIdx") return Tone::kBlock;
  return Tone::kText;
}

Tone toneOfAxis(std::string_view text) {
  if (text.find("blockIdx") != std::string_view::npos) return Tone::kBlock;
  if (text.find("threadIdx.y") != std::string_view::npos) return Tone::kThreadY;
  if (text.find("threadIdx.z") != std::string_view::npos) return Tone::kThreadZ;
  if (text.find("threadIdx") != std::string_view::npos) return Tone::kThreadX;
  if (text.find("shared") != std::string_view::npos) return Tone::kShared;
  if (text.find("wmma") != std::string_view::npos) return Tone::kFragment;
  return Tone::kTextSecond;
}

// Of the code face, exactly: Dear ImGui rounds the width of a text up.
float characterWidth() { return ImGui::GetFontBaked()->GetCharAdvance('0'); }

// Python nests deep and by four columns: drawn, a level takes two. What is copied has them all.
std::size_t columnsSaved(std::string_view line, CodeKind kind) {
  if (kind != CodeKind::kPython) return 0;
  const std::size_t indent = line.find_first_not_of(' ');
  return indent == std::string_view::npos ? 0 : indent / 2;
}

// Draws a line piece by piece; the code face is of one width, so columns need no measuring.
void drawPieces(const window::Look& look, std::string_view line, CodeKind kind, ImVec2 at, float advance) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  at.x -= float(columnsSaved(line, kind)) * advance;
  auto piece = [&](std::size_t from, std::size_t to, Tone tone) {
    list->AddText({at.x + float(from) * advance, at.y}, look.paint(tone), line.data() + from, line.data() + to);
  };
  std::size_t i = 0;
  while (i < line.size()) {
    const char c = line[i];
    std::size_t end = i + 1;
    if (c == ' ') {
      i = end;
    } else if ((kind == CodeKind::kPython && c == '#') || line.substr(i, 2) == "//") {
      if (kind == CodeKind::kPython && c != '#') {  // floor division
        piece(i, i + 2, Tone::kText);
        i += 2;
        continue;
      }
      piece(i, line.size(), Tone::kTextFaint);
      return;
    } else if (c == '"') {
      while (end < line.size() && line[end] != '"') ++end;
      end = std::min(line.size(), end + 1);
      piece(i, end, toneOfAxis(line.substr(i, end - i)));
      i = end;
    } else if (isWord(c)) {
      while (end < line.size() && isWord(line[end])) ++end;
      Tone tone = toneOfWord(line.substr(i, end - i), kind);
      if (tone == Tone::kThreadX && end + 1 < line.size()) {
        tone = toneOfAxis(line.substr(i, end + 2 - i));
      }
      piece(i, end, tone);
      i = end;
    } else {
      while (end < line.size() && line[end] != ' ' && line[end] != '"' && line[end] != '#' && !isWord(line[end]) &&
             line.substr(end, 2) != "//") {
        ++end;
      }
      piece(i, end, Tone::kTextSecond);
      i = end;
    }
  }
}

// The hot loop is bracketed from its first line to its last.
void drawHotBracket(const window::Look& look, const Code& code, int line, ImVec2 at, float height) {
  if (code.hotFirst < 0 || line < code.hotFirst || line > code.hotLast) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = look.paint(Tone::kReduction);
  const float top = line == code.hotFirst ? at.y + height / 2 : at.y;
  const float bottom = line == code.hotLast ? at.y + height / 2 : at.y + height;
  list->AddRectFilled({at.x, top}, {at.x + look.px(2), bottom}, colour);
  if (line == code.hotFirst) list->AddRectFilled({at.x, top}, {at.x + look.px(5), top + look.px(2)}, colour);
  if (line == code.hotLast) list->AddRectFilled({at.x, bottom - look.px(2)}, {at.x + look.px(5), bottom}, colour);
}

}  // namespace

void CodeView::copy(const Code& code) const {
  const bool some = from_ >= 0 && from_ < int(code.lines.size());
  const int first = some ? std::min(from_, to_) : 0;
  const int last = some ? std::max(from_, to_) : int(code.lines.size()) - 1;
  std::string text;
  for (int i = first; i <= last && i < int(code.lines.size()); ++i) text += code.lines[std::size_t(i)] + "\n";
  ImGui::SetClipboardText(text.c_str());
}

void CodeView::selectLine(const Code& code, int line, workbench::Workbench& bench) {
  from_ = to_ = line;
  const auto index = std::size_t(line);
  seen_ = index < code.ids.size() ? code.ids[index] : std::vector<ir::Id>{};
  seenLine_ = code.cudaLines && index < code.cudaLines->size() ? (*code.cudaLines)[index] : 0;
  if (seenLine_ > 0) {
    bench.selectCudaLine(seenLine_, seen_);
  } else {
    bench.selectIds(seen_);
  }
}

// A chosen line of the kernel's text is told apart from the others of its loop and block, where lines are known.
bool CodeView::isLinked(const Code& code, std::size_t line, const workbench::Workbench& bench) {
  if (const int chosen = bench.selectedCudaLine(); chosen > 0 && code.cudaLines) {
    return line < code.cudaLines->size() && (*code.cudaLines)[line] == chosen;
  }
  return line < code.ids.size() && !bench.selected().empty() &&
         std::any_of(code.ids[line].begin(), code.ids[line].end(), [&](ir::Id id) { return bench.isSelected(id); });
}

// What was selected elsewhere comes into view here.
void CodeView::followLinks(const Code& code, const workbench::Workbench& bench) {
  if (seen_ == bench.selected() && seenLine_ == bench.selectedCudaLine()) return;
  seen_ = bench.selected();
  seenLine_ = bench.selectedCudaLine();
  from_ = to_ = -1;
  for (std::size_t i = 0; i < code.lines.size(); ++i) {
    if (isLinked(code, i, bench)) {
      scrollTo_ = int(i);
      return;
    }
  }
}

void CodeView::show(int line, const std::vector<ir::Id>& ids) {
  from_ = to_ = scrollTo_ = line;
  seen_ = ids;  // nothing else is to be scrolled to
  seenLine_ = 0;
}

void CodeView::takeKeys(const Code& code, workbench::Workbench& bench) {
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_F)) searching_ = focusSearch_ = true;
  if (ImGui::GetIO().WantTextInput) return;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_C)) copy(code);
  const int last = int(code.lines.size()) - 1;
  auto step = [&](ImGuiKey key, int by) {
    const bool moved = ImGui::Shortcut(key, ImGuiInputFlags_Repeat);
    const bool extended = ImGui::Shortcut(ImGuiMod_Shift | key, ImGuiInputFlags_Repeat);
    if (!moved && !extended) return;
    const int line = std::clamp((from_ < 0 ? (by > 0 ? -1 : last + 1) : to_) + by, 0, last);
    if (extended && from_ >= 0) {
      to_ = line;
    } else {
      selectLine(code, line, bench);
    }
    scrollTo_ = line;
  };
  step(ImGuiKey_UpArrow, -1);
  step(ImGuiKey_DownArrow, 1);
}

void CodeView::drawSearch(const window::Look& look, const Code& code, workbench::Workbench& bench) {
  ImGui::SetNextItemWidth(look.px(200));
  if (focusSearch_) ImGui::SetKeyboardFocusHere();
  focusSearch_ = false;
  const bool entered =
      ImGui::InputTextWithHint("###find", look.say(words::kFind), &wanted_, ImGuiInputTextFlags_EnterReturnsTrue);
  const bool edited = ImGui::IsItemEdited();
  found_.clear();
  for (int i = 0; !wanted_.empty() && i < int(code.lines.size()); ++i) {
    if (code.lines[std::size_t(i)].find(wanted_) != std::string::npos) found_.push_back(i);
  }
  if (edited) foundAt_ = 0;
  if (entered && !found_.empty()) {
    foundAt_ += ImGui::GetIO().KeyShift ? int(found_.size()) - 1 : 1;
    focusSearch_ = true;
  }
  if (!found_.empty()) foundAt_ %= int(found_.size());
  if ((edited || entered) && !found_.empty()) {
    scrollTo_ = found_[std::size_t(foundAt_)];
    selectLine(code, scrollTo_, bench);  // copied and linked like a line that was clicked
  }
  ImGui::SameLine();
  const std::string where =
      fmt::format(fmt::runtime(look.say(words::kFound)), found_.empty() ? 0 : foundAt_ + 1, found_.size());
  ImGui::TextUnformatted(where.c_str());
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) {
    searching_ = false;
    found_.clear();
  }
}

void CodeView::drawLine(const window::Look& look, const Code& code, int line, workbench::Workbench& bench,
                        float widest) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = look.px(15);
  const float advance = characterWidth();
  const bool machine = code.kind == CodeKind::kPtx || code.kind == CodeKind::kSass;
  const float gutter = look.px(machine ? 32 : 20) + float(machine ? 9 : 4) * advance;
  const float width = std::max(widest * advance + gutter + look.px(8), ImGui::GetContentRegionAvail().x);
  const auto index = std::size_t(line);
  ImGui::PushID(line);
  if (ImGui::InvisibleButton("###line", {width, height})) {
    if (ImGui::GetIO().KeyShift && from_ >= 0) {
      to_ = line;
    } else {
      selectLine(code, line, bench);
    }
    ImGui::SetWindowFocus();
  }
  ImGui::PopID();
  const ImVec2 end{at.x + width, at.y + height};
  const Mark mark = index < code.diff.marks.size() ? code.diff.marks[index] : Mark::kSame;
  if (mark != Mark::kSame) {
    list->AddRectFilled(at, end, look.paint(Tone::kChanged, 0.10F));
    list->AddRectFilled(at, {at.x + look.px(3), end.y}, look.paint(Tone::kChanged));
    list->AddText({at.x + look.px(5), at.y}, look.paint(Tone::kChanged), mark == Mark::kAdded ? "+" : "~");
  }
  if (code.spotlight && line == code.lit) code.spotlight->mark(at, {std::min(end.x, at.x + look.px(900)), end.y});
  const bool linked = isLinked(code, index, bench);
  if (linked) {
    list->AddRectFilled({at.x + gutter - look.px(4), at.y}, end, look.paint(Tone::kText, 0.13F));
    list->AddRectFilled({at.x + gutter - look.px(6), at.y}, {at.x + gutter - look.px(4), end.y},
                        look.paint(Tone::kSelected));
  }
  if (from_ >= 0 && line >= std::min(from_, to_) && line <= std::max(from_, to_)) {
    list->AddRect({at.x + gutter - look.px(4), at.y}, end, look.paint(Tone::kTextFaint));
  }
  if (std::binary_search(found_.begin(), found_.end(), line)) {
    const std::size_t column = code.lines[index].find(wanted_);
    const std::size_t saved = columnsSaved(code.lines[index], code.kind);
    const float x = at.x + gutter + (float(column) - float(std::min(column, saved))) * advance;
    list->AddRect({x, at.y}, {x + float(wanted_.size()) * advance, end.y}, look.paint(Tone::kWarning));
  }
  // What runs at the moment that Playback stands on.
  const workbench::Moment* moment = bench.moment();
  const bool runs =
      moment && index < code.ids.size() &&
      std::any_of(code.ids[index].begin(), code.ids[index].end(), [&](ir::Id id) { return moment->isRunning(id); });
  if (runs) {
    const float x = at.x + look.px(6), middle = at.y + height / 2, half = look.px(4);
    list->AddTriangleFilled({x, middle - half}, {x, middle + half}, {x + half, middle}, look.paint(Tone::kSelected));
  }
  const std::string number = fmt::format("{:4}", line + 1);
  list->AddText({at.x + look.px(12), at.y}, look.paint(Tone::kTextFaint), number.c_str());
  if (machine) {
    const int cuda = code.cudaLines && index < code.cudaLines->size() ? (*code.cudaLines)[index] : 0;
    if (cuda > 0) {
      const std::string from = fmt::format("{:4}", cuda);
      list->AddText({at.x + look.px(14) + 4 * advance, at.y}, look.paint(linked ? Tone::kText : Tone::kTextSecond),
                    from.c_str());
    }
    drawHotBracket(look, code, line, {at.x + gutter - look.px(11), at.y}, height);
  }
  if (code.hover && index < code.hover->size() && !(*code.hover)[index].empty() &&
      ImGui::IsItemHovered(ImGuiHoveredFlags_Stationary | ImGuiHoveredFlags_DelayNormal) && ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(look.px(520));
    ImGui::TextUnformatted((*code.hover)[index].c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  drawPieces(look, code.lines[index], code.kind, {at.x + gutter, at.y}, advance);
}

void CodeView::draw(const window::Look& look, const Code& code, workbench::Workbench& bench, bool fresh, float below) {
  takeKeys(code, bench);
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  if (searching_) drawSearch(look, code, bench);
  if (fresh) {
    from_ = to_ = -1;
    if (code.diff.first >= 0) scrollTo_ = std::max(0, code.diff.first - 3);
    if (code.hotFirst >= 0) scrollTo_ = std::max(0, code.hotFirst - 3);
  }
  followLinks(code, bench);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginChild("###code", {0, -below}, 0, ImGuiWindowFlags_HorizontalScrollbar)) {
    const float height = look.px(15);
    if (scrollTo_ >= 0) {
      const float y = float(scrollTo_) * height;
      if (fresh || y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + ImGui::GetWindowHeight() - 3 * height) {
        ImGui::SetScrollY(std::max(0.0F, y - (fresh ? 0 : ImGui::GetWindowHeight() * 0.4F)));
      }
      scrollTo_ = -1;
    }
    std::size_t widest = 0;
    for (const std::string& line : code.lines) {
      widest = std::max(widest, line.size() - columnsSaved(line, code.kind));
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(code.lines.size()), height);
    while (clipper.Step()) {
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) drawLine(look, code, i, bench, float(widest));
    }
    if (ImGui::BeginPopupContextWindow("###menu")) {
      if (ImGui::MenuItem((std::string(look.say(words::kCopy)) + "###copy").c_str(), "Ctrl+C")) copy(code);
      if (ImGui::MenuItem((std::string(look.say(words::kFind)) + "###findit").c_str(), "Ctrl+F")) {
        searching_ = focusSearch_ = true;
      }
      ImGui::EndPopup();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace loom::panels
