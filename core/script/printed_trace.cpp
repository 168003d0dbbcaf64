#include "core/script/printed_trace.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace loom::script {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool saysNothing(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  return first == std::string_view::npos || line[first] == '#';
}

bool isImport(std::string_view line) { return line.starts_with("import ") || line.starts_with("from "); }

bool isHeader(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
  return line.starts_with("def apply_trace(sch") && line.ends_with(":");
}

}  // namespace

std::string withoutTraceHeader(std::string text) {
  const std::vector<std::string_view> lines = linesOf(text);
  std::size_t header = 0;
  while (header < lines.size() && (saysNothing(lines[header]) || isImport(lines[header]))) ++header;
  if (header == lines.size() || !isHeader(lines[header])) return text;
  const auto first = std::find_if_not(lines.begin() + std::ptrdiff_t(header) + 1, lines.end(), saysNothing);
  const std::size_t indent = first == lines.end() ? 0 : std::min(first->find_first_not_of(kBlanks), first->size());
  const std::string_view margin = first == lines.end() ? std::string_view() : first->substr(0, indent);
  std::string body(header + 1, '\n');
  for (std::size_t i = header + 1; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const bool nothing = saysNothing(line);
    if (!nothing && (indent == 0 || !line.starts_with(margin))) return text;  // more than the trace
    // `pass` is the body of a trace without instructions.
    const std::string_view rest = nothing ? std::string_view() : line.substr(indent);
    if (rest.substr(0, rest.find_last_not_of(kBlanks) + 1) != "pass") body += rest;
    body += '\n';
  }
  return body;
}

}  // namespace loom::script
