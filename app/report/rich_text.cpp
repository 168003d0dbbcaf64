#include "app/report/report.h"
#include "app/report/svg.h"

namespace loom::report {
namespace {

// One paragraph's marks. A mark without its partner stays what it is.
std::string inlined(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool strong = text.compare(at, 2, "**") == 0;
    const std::string mark = strong ? "**" : text[at] == '*' || text[at] == '`' ? text.substr(at, 1) : "";
    const std::size_t from = at + mark.size();
    const bool opens = !mark.empty() && from < text.size() && text[from] != ' ';
    const std::size_t end = opens ? text.find(mark, from) : std::string::npos;
    if (end == std::string::npos || end == from) {
      const std::size_t next = text.find_first_of("*`", at + std::max<std::size_t>(1, mark.size()));
      out += escaped(text.substr(at, next - at));
      at = std::min(next, text.size());
      continue;
    }
    const char* tag = strong ? "strong" : mark == "*" ? "em" : "code";
    const std::string inside = text.substr(from, end - from);
    out += std::string("<") + tag + ">" + (mark == "`" ? escaped(inside) : inlined(inside)) + "</" + tag + ">";
    at = end + mark.size();
  }
  return out;
}

}  // namespace

std::string richText(const std::string& markdown) {
  std::string out, paragraph;
  auto close = [&] {
    if (!paragraph.empty()) out += "<p>" + inlined(paragraph) + "</p>\n";
    paragraph.clear();
  };
  for (const std::string& line : script::splitLines(markdown)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      close();
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
  }
  close();
  return out;
}

}  // namespace loom::report
