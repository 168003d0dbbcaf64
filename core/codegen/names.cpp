#include "core/codegen/names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace loom::codegen {

std::string identifier(std::string_view name) {
  static constexpr auto kTaken = std::to_array<std::string_view>({"alignas",
                                                                  "alignof",
                                                                  "and",
                                                                  "and_eq",
                                                                  "asm",
                                                                  "auto",
                                                                  "bitand",
                                                                  "bitor",
                                                                  "bool",
                                                                  "break",
                                                                  "case",
                                                                  "catch",
                                                                  "char",
                                                                  "class",
                                                                  "compl",
                                                                  "concept",
                                                                  "const",
                                                                  "const_cast",
                                                                  "constexpr",
                                                                  "continue",
                                                                  "decltype",
                                                                  "default",
                                                                  "delete",
                                                                  "do",
                                                                  "double",
                                                                  "dynamic_cast",
                                                                  "else",
                                                                  "enum",
                                                                  "explicit",
                                                                  "export",
                                                                  "extern",
                                                                  "false",
                                                                  "float",
                                                                  "for",
                                                                  "friend",
                                                                  "goto",
                                                                  "if",
                                                                  "inline",
                                                                  "int",
                                                                  "long",
                                                                  "mutable",
                                                                  "namespace",
                                                                  "new",
                                                                  "noexcept",
                                                                  "not",
                                                                  "not_eq",
                                                                  "nullptr",
                                                                  "operator",
                                                                  "or",
                                                                  "or_eq",
                                                                  "private",
                                                                  "protected",
                                                                  "public",
                                                                  "register",
                                                                  "reinterpret_cast",
                                                                  "requires",
                                                                  "return",
                                                                  "short",
                                                                  "signed",
                                                                  "sizeof",
                                                                  "static",
                                                                  "static_assert",
                                                                  "static_cast",
                                                                  "struct",
                                                                  "switch",
                                                                  "template",
                                                                  "this",
                                                                  "thread_local",
                                                                  "throw",
                                                                  "true",
                                                                  "try",
                                                                  "typedef",
                                                                  "typeid",
                                                                  "typename",
                                                                  "union",
                                                                  "unsigned",
                                                                  "using",
                                                                  "virtual",
                                                                  "void",
                                                                  "volatile",
                                                                  "wchar_t",
                                                                  "while",
                                                                  "xor",
                                                                  "xor_eq",
                                                                  "half",
                                                                  "half2",
                                                                  "dim3",
                                                                  "float2",
                                                                  "float3",
                                                                  "float4",
                                                                  "int2",
                                                                  "int4",
                                                                  "uint",
                                                                  "uint2",
                                                                  "uint4",
                                                                  "threadIdx",
                                                                  "blockIdx",
                                                                  "blockDim",
                                                                  "gridDim",
                                                                  "warpSize",
                                                                  "wmma",
                                                                  "nvcuda",
                                                                  "shared_memory",
                                                                  "max",
                                                                  "min",
                                                                  "abs",
                                                                  "exp",
                                                                  "log",
                                                                  "pow",
                                                                  "sqrt",
                                                                  "tanh",
                                                                  "erf",
                                                                  "floor",
                                                                  "ceil",
                                                                  "round",
                                                                  "fabs",
                                                                  "main",
                                                                  "std",
                                                                  "linux",
                                                                  "unix"});
  std::string out;
  for (char c : name) out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0]))) out = "v" + out;
  // Names with two underscores are the compiler's.
  while (out.starts_with("__")) out.erase(0, 1);
  if (std::find(kTaken.begin(), kTaken.end(), out) != kTaken.end()) out += "_";
  return out;
}

std::string Names::unique(std::string_view name) {
  std::string base = identifier(name), candidate = base;
  for (int n = 1; !used_.insert(candidate).second; ++n) candidate = base + "_" + std::to_string(n);
  return candidate;
}

std::string inComment(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    if (c == '\\') c = '/';
  }
  return text;
}

}  // namespace loom::codegen
