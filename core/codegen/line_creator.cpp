#include "core/codegen/line_creator.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/codegen/expression.h"

namespace loom::codegen {

namespace {

std::size_t indentOf(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Whether a line is one that a loop has above it, between itself and its comment: a pragma, or a variable that it
// counts in, of the type of a loop's variable.
bool belongsToNext(std::string_view line) {
  static const std::string kTypes[] = {typeName(ir::DType::Int(32)) + " ", typeName(ir::DType::Int(64)) + " "};
  return line.starts_with("#pragma") || std::ranges::any_of(kTypes, [&](const auto& t) { return line.starts_with(t); });
}

}  // namespace

Message creatorOfLine(const std::vector<std::string>& source, int line) {
  constexpr std::string_view kStep = ", step ";
  if (line < 1 || line > int(source.size())) return {};
  auto at = std::size_t(line - 1);
  std::size_t indent = indentOf(source[at]);
  bool next = true;  // directly over the statement, or over a loop around it
  while (at-- > 0) {
    const std::string& above = source[at];
    const std::size_t depth = indentOf(above);
    const bool comment = std::string_view(above).substr(depth).starts_with("//");
    if (comment && depth == indent && next) {
      const std::size_t colon = above.find(": ", depth);
      const std::size_t step = colon == std::string::npos ? colon : above.find(kStep, colon);
      if (step != std::string::npos) {
        return message("{}, step {}", above.substr(colon + 2, step - colon - 2), above.substr(step + kStep.size()));
      }
      continue;  // another comment may stand over it
    }
    if (next && depth == indent && belongsToNext(std::string_view(above).substr(depth))) continue;
    next = !comment && depth < indent && !above.empty();
    if (next) indent = depth;
  }
  return {};
}

}  // namespace loom::codegen
