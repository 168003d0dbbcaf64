// How operands are written in disassembled code, as far as several readers of it need the same.
#pragma once
#include <string_view>
#include <vector>

namespace loom::sass {

// Returns the text of an operand or instruction without blanks around it and without the semicolon that ends it.
inline std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t' || s.back() == '\r' || s.back() == ';')) s.remove_suffix(1);
  return s;
}

// Makes of the registers that an operand names those that it stands for: `count` consecutive ones from the first on,
// since the text names only the first of a wide value. Leaves an operand without registers as it is.
inline void widen(std::vector<int>& registers, int count) {
  if (registers.empty()) return;
  const int first = registers.front();
  registers.clear();
  for (int n = 0; n < count; ++n) registers.push_back(first + n);
}

}  // namespace loom::sass
