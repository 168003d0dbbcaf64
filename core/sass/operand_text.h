// Helpers for the parsers of disassembled machine code (SASS).
#pragma once
#include <string_view>
#include <vector>

namespace loom::sass {

// Returns the text of an operand or instruction without blanks around it and without semicolons at its end.
inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r' || s.back() == ';')) s.remove_suffix(1);
  return s;
}

// Replaces the numbers of the registers that an operand names by those that hold its value: `count` consecutive ones
// from the first named on, because the text names only the first register of a wide value. An empty list stays empty.
inline void widen(std::vector<int>& registers, int count) {
  if (registers.empty()) return;
  const int first = registers.front();
  registers.clear();
  for (int n = 0; n < count; ++n) registers.push_back(first + n);
}

}  // namespace loom::sass
