#include "app/panels/rich_text.h"

#include <imgui.h>

#include <string_view>

#include "app/window/look.h"

namespace loom::panels {
namespace {

using window::Tone;

enum class Face { kText, kStrong, kEmphasis, kCode };

// Lays words out one after another; a Chinese character is a word of its own.
class Flow {
 public:
  explicit Flow(const window::Look& look)
      : look_(look), origin_(ImGui::GetCursorScreenPos()), width_(ImGui::GetContentRegionAvail().x) {}

  void paragraph() {
    if (x_ > 0 || y_ > 0) y_ += line() + look_.px(7);
    x_ = 0;
  }

  void word(std::string_view word, Face face) {
    const bool blank = word == " ";
    if (blank && x_ == 0) return;
    push(face);
    const ImVec2 size = ImGui::CalcTextSize(word.data(), word.data() + word.size());
    const float pad = face == Face::kCode ? look_.px(1) : 0;
    if (!blank && x_ > 0 && x_ + size.x > width_) {
      x_ = 0;
      y_ += line();
    }
    const ImVec2 at{origin_.x + x_, origin_.y + y_ + (face == Face::kCode ? look_.px(0.5F) : 0)};
    if (face == Face::kCode && !blank) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - pad, at.y}, {at.x + size.x + pad, at.y + size.y},
                                                look_.paint(Tone::kStrip), look_.px(2));
    }
    const Tone tone = face == Face::kStrong || face == Face::kCode ? Tone::kText : Tone::kTextSecond;
    ImGui::GetWindowDrawList()->AddText(at, look_.paint(tone), word.data(), word.data() + word.size());
    x_ += size.x;
    ImGui::PopFont();
  }

  void end() { ImGui::Dummy({width_, y_ + line()}); }

 private:
  float line() const { return look_.px(19); }
  void push(Face face) {
    switch (face) {
      case Face::kText:
      case Face::kEmphasis: ImGui::PushFont(look_.fonts.text, window::kTextSize); break;
      case Face::kStrong: ImGui::PushFont(look_.fonts.strong, window::kTextSize); break;
      case Face::kCode: ImGui::PushFont(look_.fonts.code, window::kSecondarySize); break;
    }
  }

  const window::Look& look_;
  ImVec2 origin_;
  float width_;
  float x_ = 0, y_ = 0;
};

// The bytes of the word that starts `text`: up to a blank, or one character beyond ASCII.
std::size_t wordLength(std::string_view text, std::string_view stops) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first >= 0x80) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
    return length;
  }
  std::size_t length = 1;
  while (length < text.size() && static_cast<unsigned char>(text[length]) < 0x80 &&
         stops.find(text[length]) == std::string_view::npos) {
    ++length;
  }
  return length;
}

}  // namespace

void drawRichText(const window::Look& look, const std::string& markdown) {
  Flow flow(look);
  std::string_view rest = markdown;
  Face face = Face::kText;
  while (!rest.empty()) {
    if (face != Face::kCode && rest.substr(0, 2) == "\n\n") {
      flow.paragraph();
      while (!rest.empty() && rest[0] == '\n') rest.remove_prefix(1);
    } else if (rest[0] == '`') {
      face = face == Face::kCode ? Face::kText : Face::kCode;
      rest.remove_prefix(1);
    } else if (face != Face::kCode && rest.substr(0, 2) == "**") {
      face = face == Face::kStrong ? Face::kText : Face::kStrong;
      rest.remove_prefix(2);
    } else if (face != Face::kCode && rest[0] == '*') {
      face = face == Face::kEmphasis ? Face::kText : Face::kEmphasis;
      rest.remove_prefix(1);
    } else if (rest[0] == ' ' || rest[0] == '\n') {
      flow.word(" ", face);
      rest.remove_prefix(1);
    } else {
      const std::size_t length = wordLength(rest, face == Face::kCode ? " \n`" : " \n`*");
      flow.word(rest.substr(0, length), face);
      rest.remove_prefix(length);
    }
  }
  flow.end();
}

}  // namespace loom::panels
