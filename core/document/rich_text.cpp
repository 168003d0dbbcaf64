#include "core/document/rich_text.h"

#include <md4c.h>

#include <utility>

namespace loom::document {
namespace {

constexpr std::string_view kScheme = "look:";

// Targets may hold blanks, which destinations of links have between angle brackets only.
std::string withBrackets(std::string_view text) {
  std::string all;
  while (!text.empty()) {
    const auto pointer = pointerAt(text);
    if (pointer) {
      const std::size_t where = pointer->phrase.size() + 3;  // after "[phrase]("
      all += text.substr(0, where);
      all += "<";
      all += text.substr(where, pointer->length - where - 1);
      all += ">)";
    } else {
      all += text[0];
    }
    text.remove_prefix(pointer ? pointer->length : 1);
  }
  return all;
}

bool isOneFace(const TextSpan& a, const TextSpan& b) {
  return a.strong == b.strong && a.emphasis == b.emphasis && a.code == b.code && a.pointer == b.pointer;
}

// What md4c calls while it reads.
class Spans {
 public:
  RichText take() { return std::move(made_); }

  void endParagraph() { isOpen_ = false; }

  void span(MD_SPANTYPE type, void* detail, bool begins) {
    if (type == MD_SPAN_STRONG) face_.strong = begins;
    if (type == MD_SPAN_EM) face_.emphasis = begins;
    if (type == MD_SPAN_CODE) face_.code = begins;
    if (type != MD_SPAN_A) return;
    face_.pointer = -1;
    if (!begins) return;
    const auto& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
    const std::string_view where(href.text, href.size);
    if (!where.starts_with(kScheme)) return;
    const std::string_view place = where.substr(kScheme.size());
    const std::size_t slash = place.find('/');
    face_.pointer = int(made_.pointers.size());
    made_.pointers.push_back({std::string(place.substr(0, slash)),
                              slash == std::string_view::npos ? "" : std::string(place.substr(slash + 1))});
  }

  void text(MD_TEXTTYPE type, std::string_view characters) {
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) characters = " ";
    if (!isOpen_) made_.paragraphs.emplace_back();
    isOpen_ = true;
    auto& spans = made_.paragraphs.back();
    if (spans.empty() || !isOneFace(spans.back(), face_)) spans.push_back(face_);
    spans.back().text += characters;
  }

 private:
  RichText made_;
  TextSpan face_;        // of what comes; without text
  bool isOpen_ = false;  // the last paragraph goes on
};

}  // namespace

RichText readMarkdown(std::string_view markdown) {
  const std::string text = withBrackets(markdown);
  Spans spans;
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = parser.leave_block = [](MD_BLOCKTYPE, void*, void* to) {
    static_cast<Spans*>(to)->endParagraph();
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* to) {
    static_cast<Spans*>(to)->span(type, detail, true);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void* detail, void* to) {
    static_cast<Spans*>(to)->span(type, detail, false);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* characters, MD_SIZE size, void* to) {
    static_cast<Spans*>(to)->text(type, {characters, size});
    return 0;
  };
  md_parse(text.data(), MD_SIZE(text.size()), &parser, &spans);
  return spans.take();
}

}  // namespace loom::document
