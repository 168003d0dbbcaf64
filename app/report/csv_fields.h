#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace loom::report {

/// Returns a text as a CSV field: in quotes, as RFC 4180 has them, if it contains a comma, a quote or a line break.
inline std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// Returns a number as a CSV field with the fewest digits that identify the double; empty if there is none.
inline std::string number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

/// Returns a whole number as a CSV field; empty if it is negative, which stands for an unknown one.
template <typename Count>
std::string count(Count value) {
  return value >= 0 ? std::to_string(value) : "";
}

}  // namespace loom::report
