#include "core/document/rich_text.h"

#include <array>

#include "app/report/report.h"
#include "app/report/svg.h"

namespace loom::report {
namespace {

using document::TextSpan;

struct Tag {
  bool TextSpan::*face;
  const char* name;
};
// From the outermost to the innermost.
constexpr std::array kTags = {Tag{&TextSpan::strong, "strong"}, Tag{&TextSpan::emphasis, "em"},
                              Tag{&TextSpan::code, "code"}};

// A tag is open as long as spans have its face and those around it stay open.
std::string inlined(const std::vector<TextSpan>& spans) {
  std::string out;
  TextSpan open;
  auto turnTo = [&](const TextSpan& next) {
    std::size_t kept = 0;
    while (kept < kTags.size() && open.*kTags[kept].face == next.*kTags[kept].face) ++kept;
    for (std::size_t i = kTags.size(); i-- > kept;) {
      if (open.*kTags[i].face) out += std::string("</") + kTags[i].name + ">";
    }
    for (std::size_t i = kept; i < kTags.size(); ++i) {
      if (next.*kTags[i].face) out += std::string("<") + kTags[i].name + ">";
    }
    open = next;
  };
  for (const TextSpan& span : spans) {
    turnTo(span);
    out += escaped(span.text);
  }
  turnTo({});
  return out;
}

}  // namespace

std::string richText(const std::string& markdown) {
  std::string out;
  for (const auto& paragraph : document::readMarkdown(markdown).paragraphs)
    out += "<p>" + inlined(paragraph) + "</p>\n";
  return out;
}

}  // namespace loom::report
