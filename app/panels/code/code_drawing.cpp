#include "app/panels/code/code_drawing.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "app/notation/columns.h"
#include "app/notation/palette.h"
#include "app/ui/axis_chip.h"
#include "app/ui/text.h"
#include "core/layout/fragment_scope.h"

namespace loom::panels {
namespace {

using session::CodeName;
using session::CodeRow;
using window::Look;
using window::Theme;
using window::Tone;

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
  static const std::unordered_set<std::string_view> python = {"def",  "for",    "in",   "with", "if",     "else",
                                                              "from", "import", "as",   "T",    "return", "class",
                                                              "True", "False",  "None", "and",  "or"};
  static const std::unordered_set<std::string_view> cuda = {
      "extern",   "__global__",  "__shared__", "__launch_bounds__",
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
  for (const layout::FragmentScope& scope : layout::fragmentScopes())
    if (text.find(scope.family()) != std::string_view::npos) return Tone::kFragment;
  return Tone::kTextSecond;
}

// The pieces of a line, each on the row, or the rows, that it stands on.
class Pen {
 public:
  Pen(const Look& look, const std::string& line, const CodeRow* rows, int count, ImVec2 at, float height,
      const WordMarks& marks)
      : look_(look),
        line_(line),
        rows_(rows),
        count_(count),
        at_(at),
        height_(height),
        advance_(characterWidth()),
        marks_(marks) {}

  void piece(std::size_t from, std::size_t to, Tone tone) {
    // Hues of axes and of memory are made for areas.
    const bool hue = tone == Tone::kBlock || tone == Tone::kThreadX || tone == Tone::kThreadY ||
                     tone == Tone::kThreadZ || tone == Tone::kGlobal || tone == Tone::kShared;
    write(int(from), int(to), hue ? inkOf(look_, tone) : look_.paint(tone), 0);
  }

  // A word that may name something: a loop carries the hue of what runs it.
  void word(std::size_t from, std::size_t to, Tone tone) {
    const CodeName* name = marks_.names != nullptr ? marks_.names->at(rows_[0].line, int(from)) : nullptr;
    if (name == nullptr) return piece(from, to, tone);
    const bool lit = std::find(marks_.lit.begin(), marks_.lit.end(), name->id) != marks_.lit.end();
    if (lit && name->what != CodeName::What::kAxis) fill(int(from), int(to), look_.paint(Tone::kText, 0.16F));
    const bool loop = name->what == CodeName::What::kLoop && name->row >= 0;
    const device::HardwareAxis axis =
        loop ? marks_.nest->rows[std::size_t(name->row)].axis : device::HardwareAxis::kSerial;
    if (axis == device::HardwareAxis::kSerial) return piece(from, to, tone);
    write(int(from), int(to), inkOf(look_, toneOf(axis)), look_.paint(toneOf(axis)));
  }

 private:
  template <class Draw>
  void onRows(int from, int to, const Draw& draw) const {
    for (int i = 0; i < count_; ++i) {
      const int first = std::max(from, rows_[i].from), last = std::min(to, rows_[i].to);
      if (first >= last) continue;
      const int column = rows_[i].column + columnsOf(rows_[i].from, first);
      draw(first, last, ImVec2{at_.x + float(column) * advance_, at_.y + float(i) * height_},
           float(columnsOf(first, last)) * advance_);
    }
  }

  void write(int from, int to, ImU32 ink, ImU32 under) const {
    ImDrawList* list = ImGui::GetWindowDrawList();
    onRows(from, to, [&](int first, int last, ImVec2 at, float width) {
      drawInColumns(std::string_view(line_).substr(std::size_t(first), std::size_t(last - first)), at, ink);
      if (under == 0) return;
      const float thick = std::max(1.0F, std::floor(look_.px(1.5F))), y = std::floor(at.y + height_) - thick;
      list->AddRectFilled({at.x, y}, {at.x + width, y + thick}, under);
    });
  }

  int columnsOf(int from, int to) const {
    return notation::columnsOf(std::string_view(line_).substr(std::size_t(from), std::size_t(to - from)));
  }

  void fill(int from, int to, ImU32 colour) const {
    onRows(from, to, [&](int, int, ImVec2 at, float width) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - 1, at.y}, {at.x + width + 1, at.y + height_}, colour);
    });
  }

  const Look& look_;
  const std::string& line_;
  const CodeRow* rows_;
  int count_;
  ImVec2 at_;
  float height_, advance_;
  const WordMarks& marks_;
};

}  // namespace

void drawInColumns(std::string_view text, ImVec2 at, ImU32 ink) {
  const auto isPlain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  for (std::size_t from = 0; from < text.size();) {
    std::size_t to = notation::characterFrom(text, from + 1);
    while (isPlain(text[from]) && to < text.size() && isPlain(text[to])) ++to;
    ImGui::GetWindowDrawList()->AddText(at, ink, text.data() + from, text.data() + to);
    at.x += float(notation::columnsOf(text.substr(from, to - from))) * characterWidth();
    from = to;
  }
}

void drawColumnHead(const window::Look& look, ImVec2 at, float width, const char* word, const text::Text& what) {
  ImGui::GetWindowDrawList()->AddText(at, look.paint(Tone::kTextFaint), word);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  drawWrappedTip(look, look.say(what));
}

// Piece by piece; the code face is of one width, so columns need no measuring.
void drawCodeLine(const Look& look, const std::string& text, CodeKind kind, const CodeRow* rows, int count, ImVec2 at,
                  float height, const WordMarks& marks) {
  Pen pen(look, text, rows, count, at, height, marks);
  const std::string_view line = text;
  std::size_t i = 0;
  while (i < line.size()) {
    const char c = line[i];
    std::size_t end = i + 1;
    if (c == ' ') {
      i = end;
    } else if ((kind == CodeKind::kPython && c == '#') || line.substr(i, 2) == "//") {
      if (kind == CodeKind::kPython && c != '#') {  // floor division
        pen.piece(i, i + 2, Tone::kText);
        i += 2;
        continue;
      }
      pen.piece(i, line.size(), Tone::kTextFaint);
      return;
    } else if (c == '"') {
      while (end < line.size() && line[end] != '"') ++end;
      end = std::min(line.size(), end + 1);
      pen.piece(i, end, toneOfAxis(line.substr(i, end - i)));
      i = end;
    } else if (isWord(c)) {
      while (end < line.size() && isWord(line[end])) ++end;
      Tone tone = toneOfWord(line.substr(i, end - i), kind);
      if (tone == Tone::kThreadX && end + 1 < line.size()) {
        tone = toneOfAxis(line.substr(i, end + 2 - i));
      }
      pen.word(i, end, tone);
      i = end;
    } else {
      while (end < line.size() && line[end] != ' ' && line[end] != '"' && line[end] != '#' && !isWord(line[end]) &&
             line.substr(end, 2) != "//") {
        ++end;
      }
      pen.piece(i, end, Tone::kTextSecond);
      i = end;
    }
  }
}

}  // namespace loom::panels
