#include "app/ui/markdown.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "app/text/terms.h"
#include "app/ui/look.h"
#include "app/ui/text.h"
#include "core/document/rich_text.h"

namespace loom::panels {
namespace {

using window::Tone;

enum class Face { kText, kStrong, kEmphasis, kCode };

Face faceOf(const document::TextSpan& span) {
  if (span.code) return Face::kCode;
  return span.strong ? Face::kStrong : span.emphasis ? Face::kEmphasis : Face::kText;
}

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// Of UTF-8; a byte that is none stands for itself.
Character characterAt(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) >= 0xf0 && text.size() >= 4) {
    return {(byte(0) & 7U) << 18 | (byte(1) & 63U) << 12 | (byte(2) & 63U) << 6 | (byte(3) & 63U), 4};
  }
  if (byte(0) >= 0xe0 && text.size() >= 3) return {(byte(0) & 15U) << 12 | (byte(1) & 63U) << 6 | (byte(2) & 63U), 3};
  if (byte(0) >= 0xc0 && text.size() >= 2) return {(byte(0) & 31U) << 6 | (byte(1) & 63U), 2};
  return {byte(0), 1};
}

// What lines may break before and after, quotation marks included.
bool isIdeograph(char32_t code) { return code >= 0x2e80 || code == 0x201c || code == 0x201d; }

// What must not end a line, and what must not begin one.
bool opens(char32_t code) { return std::u32string_view(U"（“「『《【〔［｛").find(code) != std::u32string_view::npos; }
bool closes(char32_t code) {
  return std::u32string_view(U"）”」』》】〕］｝，。、；：！？…").find(code) != std::u32string_view::npos;
}

// Whether a line may end between two words that no blank divides.
bool mayBreak(std::string_view before, std::string_view after) {
  std::size_t last = before.size() - 1;
  while (last > 0 && (static_cast<unsigned char>(before[last]) & 0xc0U) == 0x80) --last;
  const char32_t end = characterAt(before.substr(last)).code, begin = characterAt(after).code;
  return (isIdeograph(end) || isIdeograph(begin)) && !opens(end) && !closes(begin);
}

// They stay with the number before them.
constexpr std::string_view kUnits[] = {"B", "KiB",  "MiB",     "GiB", "ns",  "µs", "ms",
                                       "s", "GB/s", "TFLOP/s", "MHz", "GHz", "%"};

// Whether a blank between two words keeps them on one line: "128 × 64", "16 KiB".
bool keepsTogether(std::string_view before, std::string_view after) {
  constexpr std::string_view kTimes = "×";
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view unit = after.substr(0, after.find_first_of(".,;:)"));
  return before == kTimes || (isDigit(before.back()) && (after == kTimes || std::ranges::count(kUnits, unit) > 0));
}

// Lays words out one after another; a Chinese character is a word of its own.
class Flow {
 public:
  Flow(const window::Look& look, bool explains)
      : look_(look),
        explains_(explains),
        origin_(ImGui::GetCursorScreenPos()),
        width_(ImGui::GetContentRegionAvail().x - 2) {
    // Looked up once: a page has hundreds of words, each measured and drawn in every frame.
    auto type = [&](Face face, ImFont* font, float size) {
      ImGui::PushFont(font, size);
      types_[std::size_t(face)] = {ImGui::GetFont(), ImGui::GetFontSize()};
      ImGui::PopFont();
    };
    type(Face::kText, look.fonts.text, window::kTextSize);
    type(Face::kEmphasis, look.fonts.text, window::kTextSize);
    type(Face::kStrong, look.fonts.strong, window::kTextSize);
    type(Face::kCode, look.fonts.code, window::kSecondarySize);
    // Grounds of code are as long as the code on their line, which is known when that has been drawn.
    layers_.Split(ImGui::GetWindowDrawList(), 2);
    layers_.SetCurrentChannel(ImGui::GetWindowDrawList(), 1);
  }

  void paragraph() {
    place();
    blank_.reset();
    if (x_ > 0 || y_ > 0) y_ += line() + look_.px(7);
    x_ = 0;
  }

  // Words from here on are a phrase that points at something; −1: they are none.
  void link(int number) { link_ = number; }

  void word(std::string_view word, Face face) {
    const Word next{word, face, link_, width(word, face)};
    if (word == " ") {
      if (!blank_) blank_ = next;
      return;
    }
    // Code stays on one line if a line has room for it.
    const auto isCodeThatFits = [&] {
      float wide = blank_->width + next.width;
      for (const Word& before : together_) wide += before.width;
      return face == Face::kCode && blank_->face == Face::kCode && wide <= width_;
    };
    if (!blank_) {
      if (!together_.empty() && mayBreak(together_.back().text, word)) place();
    } else if (!together_.empty() && (keepsTogether(together_.back().text, word) || isCodeThatFits())) {
      together_.push_back(*blank_);
    } else {
      place();
      lead_ = blank_;
    }
    blank_.reset();
    together_.push_back(next);
  }

  void end() {
    place();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    layers_.SetCurrentChannel(draw, 0);
    for (const auto& [from, to] : grounds_) draw->AddRectFilled(from, to, look_.paint(Tone::kStrip), look_.px(2));
    layers_.Merge(draw);
    ImGui::Dummy({width_, y_ + line()});
  }

  // The phrases as items: one a line that they stand on.
  PhraseClicks use(const std::vector<document::Pointer>& pointers) const {
    PhraseClicks use;
    const ImVec2 after = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const document::Pointer& pointer = pointers[std::size_t(piece.link)];
      ImGui::SetCursorScreenPos(piece.from);
      const bool first = i == 0 || pieces_[i - 1].link != piece.link;
      const std::string id = first ? fmt::format("###look{}", piece.link) : fmt::format("###look{}.{}", piece.link, i);
      if (ImGui::InvisibleButton(id.c_str(), {piece.to.x - piece.from.x, piece.to.y - piece.from.y})) {
        use.clicked = pointer;
      }
      if (!ImGui::IsItemHovered() && !ImGui::IsItemFocused()) continue;
      if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      use.hovered = pointer;
    }
    for (const Explained& word : explained_)
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(word.from, word.to))
        showTip(look_, look_.say(word.term->meaning));
    if (!pieces_.empty()) {
      ImGui::SetCursorScreenPos(after);
      ImGui::Dummy({0, 0});
    }
    return use;
  }

 private:
  struct Word {
    std::string_view text;
    Face face;
    int link;
    float width;
  };

  struct Type {
    ImFont* font = nullptr;
    float size = 0;  // px
  };

  // In whole pixels, as ImGui::CalcTextSize has it.
  float width(std::string_view word, Face face) const {
    const Type& type = types_[std::size_t(face)];
    return std::ceil(type.font->CalcTextSizeA(type.size, FLT_MAX, 0, word.data(), word.data() + word.size()).x);
  }

  void newLine() {
    x_ = 0;
    y_ += line();
  }

  // Draws the words that stand together, on the next line where this one has no room; those wider than a line one by
  // one.
  void place() {
    float wide = 0;
    for (const Word& word : together_) wide += word.width;
    const float lead = lead_ ? lead_->width : 0;
    if (x_ > 0 && x_ + lead + wide > width_) newLine();
    if (x_ > 0 && lead_) draw(*lead_);
    lead_.reset();
    for (const Word& word : together_) {
      if (wide > width_ && x_ > 0 && x_ + word.width > width_) newLine();
      draw(word);
    }
    together_.clear();
  }

  void draw(const Word& word) {
    const Type& type = types_[std::size_t(word.face)];
    const ImVec2 size{word.width, type.size};
    const float pad = word.face == Face::kCode ? look_.px(1) : 0;
    const ImVec2 at{origin_.x + x_, origin_.y + y_ + (word.face == Face::kCode ? look_.px(0.5F) : 0)};
    if (word.face == Face::kCode) {
      const bool goesOn = !grounds_.empty() && grounds_.back().first.y == at.y &&
                          std::abs(grounds_.back().second.x - pad - at.x) < 0.5F;
      if (!goesOn) grounds_.emplace_back(ImVec2{at.x - pad, at.y}, ImVec2{at.x, at.y + size.y});
      grounds_.back().second.x = at.x + size.x + pad;
    }
    const bool strong = word.face == Face::kStrong || word.face == Face::kCode || word.link >= 0;
    const Tone tone = strong ? Tone::kText : Tone::kTextSecond;
    if (word.link >= 0) {
      // Whole pixels: a thinner line, or one between two, is drawn in some places and not in others.
      const float under = std::floor(at.y + size.y + look_.px(1)), thick = std::max(1.0F, std::floor(look_.px(1)));
      ImGui::GetWindowDrawList()->AddRectFilled({at.x, under}, {at.x + size.x, under + thick},
                                                look_.paint(Tone::kSelected));
      Piece* last = pieces_.empty() ? nullptr : &pieces_.back();
      if (last && last->link == word.link && last->from.y == origin_.y + y_) {
        last->to.x = at.x + size.x;
      } else {
        pieces_.push_back({word.link, {at.x, origin_.y + y_}, {at.x + size.x, origin_.y + y_ + line()}});
      }
    }
    ImGui::GetWindowDrawList()->AddText(type.font, type.size, at, look_.paint(tone), word.text.data(),
                                        word.text.data() + word.text.size());
    if (explains_ && word.face != Face::kCode && word.link < 0) explain(word, at);
    x_ += size.x;
  }

  // Dots under a word of the glossary that the text uses for the first time.
  void explain(const Word& word, ImVec2 at) {
    const text::Term* term = text::termOf(word.text, look_.language);
    if (term == nullptr) return;
    for (const Explained& before : explained_)
      if (before.term == term) return;
    const float bottom = at.y + types_[std::size_t(word.face)].size + look_.px(1), dot = std::max(1.0F, look_.px(1));
    for (float x = at.x; x + dot <= at.x + word.width; x += 3 * dot)
      ImGui::GetWindowDrawList()->AddRectFilled({x, bottom}, {x + dot, bottom + dot}, look_.paint(Tone::kTextFaint));
    explained_.push_back({term, at, {at.x + word.width, at.y + line()}});
  }

  float line() const { return look_.px(look_.language == text::Language::kChinese ? 19 : 18); }

  const window::Look& look_;
  bool explains_;
  std::array<Type, 4> types_{};  // by face
  ImVec2 origin_;
  float width_;
  float x_ = 0, y_ = 0;
  struct Piece {
    int link;
    ImVec2 from, to;
  };
  int link_ = -1;
  std::vector<Word> together_;  // on one line: words of several faces that nothing divides
  std::optional<Word> lead_;    // the blank before them, where they don't begin a line
  std::optional<Word> blank_;   // after them
  std::vector<Piece> pieces_;
  struct Explained {
    const text::Term* term;
    ImVec2 from, to;
  };
  std::vector<Explained> explained_;                // words of the glossary, each where it first stands
  std::vector<std::pair<ImVec2, ImVec2>> grounds_;  // rectangles behind code
  ImDrawListSplitter layers_;                       // grounds, and what is drawn on them
};

}  // namespace

std::size_t wordLength(std::string_view text, std::string_view stops, std::optional<text::Language> glossary) {
  const Character first = characterAt(text);
  const std::size_t term = glossary ? text::lengthOfTerm(text, *glossary) : 0;
  std::size_t length = std::max(first.bytes, term);
  const bool more = length < text.size() && stops.find(text[length]) == std::string_view::npos;
  if (opens(first.code)) {
    if (more) {
      length += wordLength(text.substr(length), stops, glossary);
    }
  } else if (!isIdeograph(first.code)) {
    while (length < text.size() && stops.find(text[length]) == std::string_view::npos) {
      const Character next = characterAt(text.substr(length));
      if (isIdeograph(next.code)) break;
      length += next.bytes;
    }
  }
  while (length < text.size()) {
    const Character next = characterAt(text.substr(length));
    if (!closes(next.code)) break;
    length += next.bytes;
  }
  return length;
}

namespace {

// The length, in bytes, of a blank and the unit after it, which stay with the number that `word` ends with; else 0.
std::size_t unitLength(std::string_view word, std::string_view after) {
  if (word.empty() || word.back() < '0' || word.back() > '9' || !after.starts_with(' ')) return 0;
  after.remove_prefix(1);
  for (const std::string_view unit : kUnits) {
    if (!after.starts_with(unit)) continue;
    const std::string_view rest = after.substr(unit.size());
    const bool goesOn = !rest.empty() && (std::isalnum(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '/');
    if (!goesOn) return 1 + unit.size();
  }
  return 0;
}

}  // namespace

std::string wrapped(const std::string& text, float width) {
  // Widths add up: there is no kerning. Rounded up as ImGui::CalcTextSize does it.
  ImFont* font = ImGui::GetFont();
  const float size = ImGui::GetFontSize();
  auto widthOf = [&](std::string_view part) {
    return font->CalcTextSizeA(size, FLT_MAX, 0, part.data(), part.data() + part.size()).x;
  };
  auto fits = [&](float wide) { return std::ceil(wide) <= width; };
  std::string lines;
  std::size_t begin = 0;  // of the last line, in `lines`
  float wide = 0;         // its width
  bool broken = false;    // whether it goes on from the one before; else its blanks are the text's own indentation
  auto endLine = [&] {
    broken = true;
    lines += '\n';
    begin = lines.size();
    wide = 0;
  };
  std::string_view rest = text;
  while (!rest.empty()) {
    if (rest[0] == '\n') {
      endLine();
      broken = false;
      rest.remove_prefix(1);
      continue;
    }
    std::string_view word = rest.substr(0, rest[0] == ' ' ? 1 : wordLength(rest, " \n"));
    word = std::string_view(word.data(), word.size() + unitLength(word, rest.substr(word.size())));
    rest.remove_prefix(word.size());
    float more = widthOf(word);
    if (lines.size() > begin && word != " " && !fits(wide + more)) endLine();
    while (lines.size() == begin && !fits(more)) {  // longer than a line: cut where the line ends
      std::size_t cut = characterAt(word).bytes;
      for (std::size_t next = cut; next < word.size() && fits(widthOf(word.substr(0, next)));) {
        cut = next;
        next += characterAt(word.substr(next)).bytes;
      }
      if (cut >= word.size()) break;
      lines += word.substr(0, cut);
      endLine();
      word.remove_prefix(cut);
      more = widthOf(word);
    }
    if (lines.size() == begin && broken && word == " ") continue;
    lines += word;
    wide += more;
  }
  return lines;
}

float wholeLinesBelow(float top, float line) {
  constexpr float kVisible = 0.85F;  // of a line: all but what hangs below it
  const float edge = ImGui::GetWindowDrawList()->GetClipRectMax().y;
  if (ImGui::GetScrollMaxY() <= 0 || top >= edge) return FLT_MAX;
  return top + line * std::floor((edge - top) / line + 1 - kVisible);
}

void drawWrapped(const std::string& text, float width) {
  // Lines end before the edge: what ends on it looks cut.
  if (width <= 0) width = ImGui::GetContentRegionAvail().x - 2;
  const std::string lines = wrapped(text, width);
  // So does a line that a scrolling panel's lower edge goes through: it comes with the next turn of the wheel.
  const float top = ImGui::GetCursorScreenPos().y, whole = wholeLinesBelow(top, ImGui::GetTextLineHeight());
  const bool cut = top + ImGui::CalcTextSize(lines.c_str()).y > whole;
  if (cut) {
    const ImDrawList* list = ImGui::GetWindowDrawList();
    ImGui::PushClipRect(list->GetClipRectMin(), {list->GetClipRectMax().x, whole}, true);
  }
  ImGui::TextUnformatted(lines.c_str());
  if (cut) ImGui::PopClipRect();
}

PhraseClicks drawRichText(const window::Look& look, const std::string& markdown, bool explains) {
  const document::RichText text = document::readMarkdown(markdown);
  const auto glossary = explains ? std::optional(look.language) : std::nullopt;
  Flow flow(look, explains);
  for (const std::vector<document::TextSpan>& paragraph : text.paragraphs) {
    flow.paragraph();
    for (const document::TextSpan& span : paragraph) {
      flow.link(span.pointer);
      // Widths of words are whole pixels: where a word ends decides where the next one stands. Before a bracket it
      // does.
      const std::string_view stops = span.code ? " " : " [";
      std::string_view rest = span.text;
      while (!rest.empty()) {
        const bool isBlank = rest[0] == ' ';
        const std::string_view word = rest.substr(0, isBlank ? 1 : wordLength(rest, stops, glossary));
        flow.word(word, faceOf(span));
        rest.remove_prefix(word.size());
      }
    }
  }
  flow.end();
  return flow.use(text.pointers);
}

}  // namespace loom::panels
