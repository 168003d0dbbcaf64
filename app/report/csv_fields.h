#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

namespace loom::report {

/// Returns a field as RFC 4180 quotes it.
inline std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

inline std::string number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

/// Empty where it is negative: not known.
template <typename Count>
std::string count(Count value) {
  return value >= 0 ? std::to_string(value) : "";
}

}  // namespace loom::report
