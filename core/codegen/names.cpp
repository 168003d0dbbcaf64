#include "core/codegen/names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace loom::codegen {

std::string identifier(std::string_view name) {
  static constexpr std::array kTaken{
      "alignas",  "asm",      "auto",     "bool",      "break",     "case",     "char",     "class",   "const",
      "default",  "delete",   "do",       "double",    "else",      "enum",     "extern",   "false",   "float",
      "for",      "goto",     "half",     "if",        "inline",    "int",      "long",     "max",     "min",
      "new",      "private",  "public",   "register",  "return",    "short",    "signed",   "sizeof",  "static",
      "struct",   "switch",   "this",     "true",      "typedef",   "union",    "unsigned", "using",   "void",
      "volatile", "while",    "wmma",     "nvcuda",    "threadIdx", "blockIdx", "blockDim", "gridDim", "shared_memory",
      "operator", "template", "typename", "namespace", "and",       "or",       "not"};
  std::string out;
  for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "v" + out;
  if (std::find(kTaken.begin(), kTaken.end(), out) != kTaken.end()) out += "_";
  return out;
}

std::string Names::unique(std::string_view name) {
  std::string base = identifier(name), candidate = base;
  for (int n = 1; !used_.insert(candidate).second; ++n) candidate = base + "_" + std::to_string(n);
  return candidate;
}

}  // namespace loom::codegen
