#include "app/panels/code/code_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/notation/columns.h"
#include "app/panels/code/code_drawing.h"
#include "app/panels/code/code_hover.h"
#include "app/panels/code/issue_columns.h"
#include "app/panels/code/machine_words.h"
#include "app/panels/code/stall_column.h"
#include "app/panels/code/view/names.h"
#include "app/panels/code/words.h"
#include "app/panels/stalls/words.h"
#include "app/session/session.h"
#include "app/text/panels.h"
#include "app/ui/list_row.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "app/widgets/lesson_highlight.h"

namespace loom::panels {
namespace {

namespace words = text::panels;
using script::Mark;
using session::CodeName;
using window::Tone;

constexpr float kRow = 15;      // height, design px
constexpr int kLeastCode = 30;  // characters that the columns beside SASS leave
constexpr int kSettling = 4;    // frames: a scroll comes with the next one, columns beside the code after it

bool isMachine(CodeKind kind) { return kind == CodeKind::kPtx || kind == CodeKind::kSass; }

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

// Where the number of the CUDA line begins, four characters wide.
float cudaLineFrom(const window::Look& look) { return look.px(14) + 4 * characterWidth(); }

// Where what stands beside the code begins: behind its number and, of machine code, that of the CUDA line.
float marginFrom(const window::Look& look, const Code& code) {
  return look.px(20) + (isMachine(code.kind) ? 8 : 4) * characterWidth();
}

}  // namespace

float CodeView::marginOf(const window::Look& look, const Code& code) const {
  return code.margin != nullptr && showsMargin_ ? issueColumnsWidth(look, *code.margin, withoutParts_) : 0;
}

// In a panel `width` px wide. What is left out, the line's hover still says.
void CodeView::fitMargin(const window::Look& look, const Code& code, float width) {
  withoutParts_ = 0;
  if (code.margin == nullptr) return;
  const float room = width - ImGui::GetStyle().ScrollbarSize - look.px(6);
  while (withoutParts_ < kIssueParts && room - gutterOf(look, code) < float(kLeastCode) * characterWidth())
    ++withoutParts_;
}

// In front of the margin.
float CodeView::stallsOf(const window::Look& look, const Code& code) const {
  return code.stalls != nullptr && showsStalls_ ? stallColumnWidth(look) : 0;
}

// Left of the code: marks, numbers, the hot loop or the signs that fold.
float CodeView::gutterOf(const window::Look& look, const Code& code) const {
  const bool machine = isMachine(code.kind);
  return look.px(machine ? 32 : 26) + float(machine ? 9 : 4) * characterWidth() + stallsOf(look, code) +
         marginOf(look, code);
}

void CodeView::drawHeads(const window::Look& look, const Code& code) {
  if (stallsOf(look, code) <= 0 && !isMachine(code.kind)) return;
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  fitMargin(look, code, ImGui::GetContentRegionAvail().x);
  const float stalls = stallsOf(look, code), margin = marginOf(look, code);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (isMachine(code.kind))
    drawColumnHead(look, {at.x + cudaLineFrom(look), at.y}, 4 * characterWidth(), "CUDA", text::machine_code::kColumns);
  // Of a state without samples only the room is kept.
  if (stalls > 0 && code.stalls->total > 0) drawStallHead(look, {at.x + marginFrom(look, code), at.y});
  if (margin > 0) drawIssueHeads(look, *code.margin, withoutParts_, {at.x + marginFrom(look, code) + stalls, at.y});
  ImGui::SetCursorScreenPos({at.x, at.y + ImGui::GetTextLineHeight()});
  ImGui::Dummy({0, 0});
  ImGui::PopFont();
}

void CodeView::copy(const Code& code) const {
  const bool some = from_ >= 0 && from_ < int(code.lines.size());
  const int first = some ? std::min(from_, to_) : 0;
  const int last = some ? std::max(from_, to_) : int(code.lines.size()) - 1;
  std::string text;
  for (int i = first; i <= last && i < int(code.lines.size()); ++i) text += code.lines[std::size_t(i)] + "\n";
  ImGui::SetClipboardText(text.c_str());
}

void CodeView::selectLine(const Code& code, int line, session::Session& session) {
  from_ = to_ = line;
  const auto index = std::size_t(line);
  seen_ = index < code.ids.size() ? code.ids[index] : std::vector<ir::Id>{};
  seenLine_ = code.cudaLines && index < code.cudaLines->size() ? (*code.cudaLines)[index] : 0;
  if (seenLine_ > 0) {
    session.selection().selectCudaLine(seenLine_, seen_);
  } else {
    session.selection().select(seen_);
  }
}

// A chosen line of the kernel's text is told apart from the others of its loop and block, where lines are known.
bool CodeView::isLinked(const Code& code, std::size_t line, const session::Session& session) {
  if (const int chosen = session.selection().cudaLine(); chosen > 0 && code.cudaLines) {
    return line < code.cudaLines->size() && (*code.cudaLines)[line] == chosen;
  }
  return line < code.ids.size() && !session.selection().ids().empty() &&
         std::any_of(code.ids[line].begin(), code.ids[line].end(),
                     [&](ir::Id id) { return session.selection().has(id); });
}

// What was selected elsewhere comes into view here.
void CodeView::followLinks(const Code& code, const session::Session& session) {
  if (seen_ == session.selection().ids() && seenLine_ == session.selection().cudaLine()) return;
  seen_ = session.selection().ids();
  seenLine_ = session.selection().cudaLine();
  from_ = to_ = -1;
  for (std::size_t i = 0; i < code.lines.size(); ++i) {
    if (isLinked(code, i, session)) {
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

void CodeView::takeKeys(const Code& code, session::Session& session) {
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_F)) search_.open();
  if (ImGui::GetIO().WantTextInput) return;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_C)) copy(code);
  const int last = int(code.lines.size()) - 1;
  if (last < 0) return;
  auto step = [&](ImGuiKey key, int by) {
    const bool moved = ImGui::Shortcut(key, ImGuiInputFlags_Repeat);
    const bool extended = ImGui::Shortcut(ImGuiMod_Shift | key, ImGuiInputFlags_Repeat);
    if (!moved && !extended) return;
    int line = std::clamp((from_ < 0 ? (by > 0 ? -1 : last + 1) : to_) + by, 0, last);
    while (line > 0 && line < last && rows_.countOf(line) == 0) line += by;  // folded away
    if (extended && from_ >= 0) {
      to_ = line;
    } else {
      selectLine(code, line, session);
    }
    scrollTo_ = line;
  };
  step(ImGuiKey_UpArrow, -1);
  step(ImGuiKey_DownArrow, 1);
  if (from_ < 0 || !isFoldable(code, from_)) return;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_LeftBracket)) setFolded(code, from_, true);
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_RightBracket)) setFolded(code, from_, false);
}

// Another width or scale leaves the text where it is. A line that was scrolled to just now stays in view.
void CodeView::keepPlace() {
  if (placeTop_ >= 0 || scrollTo_ >= 0) return;
  if (settling_ > 0) {
    scrollTo_ = sought_;
  } else {
    placeTop_ = topLine_;
  }
}

// Rows for the room there is; the room of the scroll bar is kept, so that it changes nothing when it comes.
void CodeView::layOut(const window::Look& look, const Code& code) {
  const float room = ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize - gutterOf(look, code) - look.px(6);
  session::CodeRows::Form form;
  form.halved = code.kind == CodeKind::kPython;
  form.columns = isWrapped(code) ? std::max(20, int(room / characterWidth())) : 0;
  const auto* gone = goneOf(code);
  if (laidOut_ && form.columns == rows_.form().columns && rows_.lines() == int(code.lines.size()) &&
      rows_.gone() == (gone ? gone->size() : 0))
    return;
  if (!folded_.empty() && code.foldEnds != nullptr) {
    const std::vector<FoldKey> keys = foldKeys(code);
    for (int i = 0; i < int(keys.size()); ++i) {
      if (isFoldable(code, i) && folded_.count(keys[std::size_t(i)]) != 0) form.folded.insert(i);
    }
  }
  if (laidOut_) keepPlace();
  static const std::vector<int> none;
  rows_ = session::CodeRows(code.lines, code.foldEnds != nullptr ? *code.foldEnds : none, std::move(form), gone);
  laidOut_ = true;
}

const std::vector<script::LineDiff::Gone>* CodeView::goneOf(const Code& code) const {
  return code.compared && showsGone_ && !code.diff.gone.empty() ? &code.diff.gone : nullptr;
}

// A row of a line that only the state compared with has: as it stands there, without a number, and to be read only.
void CodeView::drawGone(const window::Look& look, const Code& code, const session::CodeRow& row) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string& text = code.diff.gone[std::size_t(row.gone)].text;
  list->AddRect(at, {at.x + look.px(3), at.y + rowHeight_}, look.paint(Tone::kChanged));
  if (text.find_first_not_of(' ') >= std::size_t(row.from))
    list->AddText({at.x + look.px(5), at.y}, look.paint(Tone::kChanged), "−");
  drawInColumns(std::string_view(text).substr(std::size_t(row.from), std::size_t(row.to - row.from)),
                {at.x + gutterOf(look, code) + float(row.column) * characterWidth(), at.y},
                look.paint(Tone::kTextSecond));
}

// The word under the mouse.
const CodeName* CodeView::nameUnderMouse(const Code& code, int line, ImVec2 at) const {
  if (code.names == nullptr) return nullptr;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const int row = int((mouse.y - at.y) / rowHeight_), column = int((mouse.x - at.x) / characterWidth());
  if (mouse.x < at.x || row < 0 || row >= rows_.countOf(line)) return nullptr;
  const session::CodeRow& shown = rows_.rows()[std::size_t(rows_.rowOf(line) + row)];
  if (column < shown.column || column >= shown.column + shown.width) return nullptr;
  const std::string_view text = std::string_view(code.lines[std::size_t(line)]).substr(std::size_t(shown.from));
  return code.names->at(line, shown.from + int(notation::bytesWithin(text, column - shown.column)));
}

void CodeView::drawLine(const window::Look& look, const Code& code, int line, session::Session& session) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = rowHeight_ * float(rows_.countOf(line));
  const float advance = characterWidth();
  const bool machine = isMachine(code.kind);
  const float gutter = gutterOf(look, code);
  const float widest = isWrapped(code) ? 0 : float(rows_.widest()) * advance + gutter + look.px(8);
  const float width = std::max(widest, ImGui::GetContentRegionAvail().x);
  const auto index = std::size_t(line);
  const bool foldable = isFoldable(code, line);
  const CodeName* name = nullptr;
  ImGui::PushID(line);
  if (foldable) ImGui::SetNextItemAllowOverlap();
  const bool pressed = ImGui::InvisibleButton("###line", {width, height});
  if (ImGui::IsItemHovered()) name = nameUnderMouse(code, line, {at.x + gutter, at.y});
  if (pressed) {
    if (ImGui::GetIO().KeyShift && from_ >= 0) {
      to_ = line;
    } else if (ImGui::GetIO().KeyCtrl && name != nullptr) {
      selectName(*name, session);
    } else {
      selectLine(code, line, session);
    }
    ImGui::SetWindowFocus();
  }
  drawHover(look, code, line, name);
  const ImVec2 end{at.x + width, at.y + height};
  const bool unheeded = code.unheeded && index < code.unheeded->size() && !(*code.unheeded)[index].empty();
  const Mark mark = index < code.diff.marks.size() ? code.diff.marks[index] : Mark::kSame;
  if (mark != Mark::kSame) {
    list->AddRectFilled(at, end, look.paint(Tone::kChanged, 0.10F));
    // Of the state that is compared with: what the current one has no more.
    const bool gone = session.comparison().isOtherSide() && mark == Mark::kAdded;
    if (gone)
      list->AddRect(at, {at.x + look.px(3), end.y}, look.paint(Tone::kChanged));
    else
      list->AddRectFilled(at, {at.x + look.px(3), end.y}, look.paint(Tone::kChanged));
    if (!unheeded)
      list->AddText({at.x + look.px(5), at.y}, look.paint(Tone::kChanged),
                    gone                   ? "−"
                    : mark == Mark::kAdded ? "+"
                                           : "~");
  }
  if (unheeded) list->AddText({at.x + look.px(5), at.y}, look.paint(Tone::kWarning), "!");
  if (code.spotlight && line == code.lit) code.spotlight->mark(at, {std::min(end.x, at.x + look.px(900)), end.y});
  const bool linked = isLinked(code, index, session);
  if (linked) {
    list->AddRectFilled({at.x + gutter - look.px(1), at.y}, end, look.paint(Tone::kText, 0.13F));
    list->AddRectFilled({at.x + gutter - look.px(3), at.y}, {at.x + gutter - look.px(1), end.y},
                        look.paint(Tone::kSelected));
  }
  if (from_ >= 0 && line >= std::min(from_, to_) && line <= std::max(from_, to_)) {
    list->AddRect({at.x + gutter - look.px(1), at.y}, end, look.paint(Tone::kTextFaint));
  }
  const session::CodeRow* rows = &rows_.rows()[std::size_t(rows_.rowOf(line))];
  search_.drawFound(look, code.lines[index], line, rows_, {at.x + gutter, at.y}, rowHeight_);
  // What runs at the moment that Playback stands on.
  const model::TimelinePosition* moment = session.selection().position();
  const bool runs =
      moment && index < code.ids.size() &&
      std::any_of(code.ids[index].begin(), code.ids[index].end(), [&](ir::Id id) { return moment->isRunning(id); });
  if (runs) {
    const float x = at.x + look.px(6), middle = at.y + rowHeight_ / 2, half = look.px(4);
    list->AddTriangleFilled({x, middle - half}, {x, middle + half}, {x + half, middle}, look.paint(Tone::kSelected));
  }
  const std::string number = fmt::format("{:4}", line + 1);
  list->AddText({at.x + look.px(12), at.y}, look.paint(unheeded ? Tone::kWarning : Tone::kTextFaint), number.c_str());
  if (machine) {
    const int cuda = code.cudaLines && index < code.cudaLines->size() ? (*code.cudaLines)[index] : 0;
    if (cuda > 0) {
      const std::string from = fmt::format("{:4}", cuda);
      list->AddText({at.x + cudaLineFrom(look), at.y}, look.paint(linked ? Tone::kText : Tone::kTextSecond),
                    from.c_str());
    }
    if (marginOf(look, code) > 0) {
      const float from = at.x + marginFrom(look, code) + stallsOf(look, code);
      drawIssueLine(look, *code.margin, withoutParts_, index, {from, at.y}, rowHeight_, height);
    }
    drawHotBracket(look, code, line, {at.x + gutter - look.px(11), at.y}, height);
  }
  if (stallsOf(look, code) > 0)
    drawStallLine(look, *code.stalls, index, {at.x + marginFrom(look, code), at.y}, rowHeight_);
  drawCodeLine(look, code.lines[index], code.kind, rows, rows_.countOf(line), {at.x + gutter, at.y}, rowHeight_,
               {code.names, code.nest, session.selection().ids()});
  if (foldable) drawFold(look, code, line, at, gutter);
  ImGui::PopID();
}

// With Ctrl, words of loops and buffers are chosen besides what is chosen already.
void CodeView::selectName(const CodeName& name, session::Session& session) {
  std::vector<ir::Id> ids = session.selection().ids();
  if (auto at = std::find(ids.begin(), ids.end(), name.id); at != ids.end()) {
    ids.erase(at);
  } else {
    ids.push_back(name.id);
  }
  seen_ = ids;
  seenLine_ = 0;
  session.selection().select(std::move(ids));
}

void CodeView::drawHover(const window::Look& look, const Code& code, int line, const CodeName* name) {
  const auto index = std::size_t(line);
  const bool says = code.hover && index < code.hover->size() && !(*code.hover)[index].empty();
  const bool warns = code.unheeded && index < code.unheeded->size() && !(*code.unheeded)[index].empty();
  if (name == nullptr && !says && !warns) return;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_Stationary | ImGuiHoveredFlags_DelayNormal) || !ImGui::BeginTooltip())
    return;
  if (name != nullptr) {
    drawCodeName(look, *name, *code.nest, code.kind == CodeKind::kPython);
  } else if (says) {
    ImGui::PushTextWrapPos(look.px(520));
    ImGui::TextUnformatted((*code.hover)[index].c_str());
    ImGui::PopTextWrapPos();
  }
  if (warns) {
    ImGui::PushTextWrapPos(look.px(520));
    for (const Message& sentence : (*code.unheeded)[index])
      ImGui::TextColored(look.colour(Tone::kWarning), "! %s", look.tell(sentence).c_str());
    ImGui::PopTextWrapPos();
  }
  ImGui::EndTooltip();
}

bool CodeView::isWrapped(const Code& code) {
  return code.unwrapped == nullptr || code.unwrapped->count(code.panel) == 0;
}

void CodeView::drawMenu(const window::Look& look, const Code& code) {
  if (!ImGui::BeginPopupContextWindow("###menu")) return;
  auto label = [&](const text::Text& word, const char* id) { return std::string(look.say(word)) + "###" + id; };
  ImGui::PushFont(look.fonts.text, window::kTextSize);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(8), look.px(window::kRowGap)});
  if (ImGui::MenuItem(label(words::kCopy, "copy").c_str(), "Ctrl+C")) copy(code);
  if (ImGui::MenuItem(label(words::kFind, "findit").c_str(), "Ctrl+F")) search_.open();
  ImGui::Separator();
  if (code.unwrapped != nullptr &&
      ImGui::MenuItem(label(text::code::kWrap, "wrap").c_str(), nullptr, isWrapped(code))) {
    if (code.unwrapped->erase(code.panel) == 0) code.unwrapped->insert(code.panel);
    laidOut_ = false;
  }
  if (code.compared && ImGui::MenuItem(label(text::code::kGone, "gone").c_str(), nullptr, &showsGone_)) {
    laidOut_ = false;
  }
  if (code.margin != nullptr &&
      ImGui::MenuItem(label(text::machine_code::kMargin, "margin").c_str(), nullptr, &showsMargin_)) {
    laidOut_ = false;
  }
  if (code.stalls != nullptr &&
      ImGui::MenuItem(label(text::stalls::kColumn, "stalls").c_str(), nullptr, &showsStalls_)) {
    laidOut_ = false;
  }
  if (code.foldEnds != nullptr) {
    if (ImGui::MenuItem(label(text::code::kOnlyChanges, "changes").c_str(), nullptr, &onlyChanges_))
      onlyChanges_ ? foldUnchanged(code) : unfoldAll();
    if (ImGui::MenuItem(label(text::code::kUnfoldAll, "unfold").c_str(), nullptr, false, !folded_.empty())) unfoldAll();
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::EndPopup();
}

void CodeView::noteScroll() {
  const float top = ImGui::GetScrollY();
  if (placing_ == 0 && top != scrolledTo_) scrolled_ = true;
  scrolledTo_ = top;
  const auto& rows = rows_.rows();
  // A scroll is whole pixels, which rows needn't be.
  if (placing_ == 0 && !rows.empty())
    topLine_ = std::max(0, rows[std::min(rows.size() - 1, std::size_t(std::max(0.0F, (top + 1) / rowHeight_)))].line);
  placing_ = std::max(0, placing_ - 1);
  if (placeTop_ < 0) return;
  constexpr int kFrames = 2;  // the scroll is set with the next one
  if (rows_.lines() > 0) ImGui::SetScrollY(float(rows_.rowOf(std::min(placeTop_, rows_.lines() - 1))) * rowHeight_);
  placing_ = kFrames;
  topLine_ = std::exchange(placeTop_, -1);
}

void CodeView::draw(const window::Look& look, const Code& code, session::Session& session, bool fresh, float below) {
  if (fresh) {
    laidOut_ = false;
    if (onlyChanges_) foldUnchanged(code);
    from_ = to_ = -1;
    if (code.diff.first >= 0) scrollTo_ = std::max(0, code.diff.first - 3);
    if (code.hotFirst >= 0) scrollTo_ = std::max(0, code.hotFirst - 3);
  }
  ImGui::PushFont(look.fonts.code, window::kSecondarySize);
  if (rows_.lines() == int(code.lines.size())) takeKeys(code, session);
  if (search_.isOpen()) {
    if (const auto line = search_.draw(look, code.lines)) {
      scrollTo_ = *line;
      selectLine(code, *line, session);  // copied and linked like a line that was clicked
    }
  }
  followLinks(code, session);
  if (std::exchange(rowHeight_, look.px(kRow)) != look.px(kRow) && !fresh) keepPlace();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginChild("###code", {0, -below}, 0, isWrapped(code) ? 0 : ImGuiWindowFlags_HorizontalScrollbar)) {
    fitMargin(look, code, ImGui::GetWindowWidth());
    layOut(look, code);
    if (scrollTo_ >= 0 && scrollTo_ < rows_.lines() && !fresh && rows_.countOf(scrollTo_) == 0) {
      for (int at = scrollTo_; at >= 0 && rows_.countOf(scrollTo_) == 0; at = scrollTo_) {
        setFolded(code, rows_.hiderOf(scrollTo_), false);  // what is to be seen isn't folded away
        layOut(look, code);
      }
    }
    const float height = rowHeight_;
    if (scrollTo_ >= 0) {
      const float y = float(rows_.rowOf(std::min(scrollTo_, rows_.lines() - 1))) * height;
      if (fresh || y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + ImGui::GetWindowHeight() - 3 * height) {
        ImGui::SetScrollY(std::max(0.0F, y - (fresh ? 0 : ImGui::GetWindowHeight() * 0.4F)));
      }
      sought_ = std::exchange(scrollTo_, -1);
      settling_ = kSettling;
    }
    settling_ = std::max(0, settling_ - 1);
    noteScroll();
    const ImVec2 start = ImGui::GetCursorPos();
    const float top = ImGui::GetScrollY(), bottom = top + ImGui::GetWindowHeight();
    const auto& rows = rows_.rows();
    std::size_t at = std::min(rows.size(), std::size_t(std::max(0.0F, top / height)));
    if (at < rows.size() && rows[at].gone < 0) at = std::size_t(rows_.rowOf(rows[at].line));
    while (at < rows.size() && float(at) * height < bottom) {
      ImGui::SetCursorPos({start.x, start.y + float(at) * height});
      if (rows[at].gone >= 0) {
        drawGone(look, code, rows[at++]);
        continue;
      }
      const int line = rows[at].line, count = rows_.countOf(line);
      drawLine(look, code, line, session);
      if (!laidOut_) break;  // folded just now
      at += std::size_t(count);
    }
    ImGui::SetCursorPos(start);
    ImGui::Dummy({1, float(rows.size()) * height});
    drawMenu(look, code);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace loom::panels
