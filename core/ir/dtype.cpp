#include "core/ir/dtype.h"

#include <array>
#include <charconv>
#include <utility>

namespace loom::ir {
namespace {

struct Spelling {
  std::string_view prefix;
  DType::Code code;
};
// Longest prefix first: "uint8" must not be read as "int8", nor "bfloat16" as "float16".
constexpr std::array<Spelling, 4> kSized{{{"bfloat", DType::Code::BFloat},
                                          {"uint", DType::Code::UInt},
                                          {"float", DType::Code::Float},
                                          {"int", DType::Code::Int}}};
constexpr std::array<std::pair<std::string_view, DType>, 5> kFixed{{
    {"float8_e4m3fn", DType{DType::Code::E4M3, 8, 1}},
    {"float8_e5m2", DType{DType::Code::E5M2, 8, 1}},
    {"bool", DType{DType::Code::Bool, 1, 1}},
    {"handle", DType{DType::Code::Handle, 64, 1}},
    {"void", DType{DType::Code::Void, 0, 1}},
}};

std::optional<int> number(std::string_view text) {
  int value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

bool isWidth(DType::Code code, int bits) {
  bool wide = bits == 16 || bits == 32 || bits == 64;
  if (code == DType::Code::Float) return wide;
  if (code == DType::Code::BFloat) return bits == 16;
  return wide || bits == 1 || bits == 2 || bits == 4 || bits == 8;
}

}  // namespace

std::optional<DType> DType::parse(std::string_view text) {
  for (const auto& [name, dtype] : kFixed) {
    if (text == name) return dtype;
  }
  int lanes = 1;
  std::string_view scalar = text;
  if (auto x = text.rfind('x'); x != std::string_view::npos) {
    auto n = number(text.substr(x + 1));
    if (!n || *n > 1024) return std::nullopt;
    lanes = *n;
    scalar = text.substr(0, x);
    for (const auto& [name, dtype] : kFixed) {
      if (scalar == name && !dtype.isHandle() && !dtype.isVoid()) return dtype.withLanes(lanes);
    }
  }
  for (const auto& [prefix, code] : kSized) {
    if (!scalar.starts_with(prefix)) continue;
    auto bits = number(scalar.substr(prefix.size()));
    if (!bits || !isWidth(code, *bits)) return std::nullopt;
    return DType{code, static_cast<std::uint8_t>(*bits), static_cast<std::uint16_t>(lanes)};
  }
  return std::nullopt;
}

std::string DType::str() const {
  std::string text;
  switch (code) {
    case Code::Int: text = "int" + std::to_string(bits); break;
    case Code::UInt: text = "uint" + std::to_string(bits); break;
    case Code::Float: text = "float" + std::to_string(bits); break;
    case Code::BFloat: text = "bfloat" + std::to_string(bits); break;
    case Code::E4M3: text = "float8_e4m3fn"; break;
    case Code::E5M2: text = "float8_e5m2"; break;
    case Code::Bool: text = "bool"; break;
    case Code::Handle: text = "handle"; break;
    case Code::Void: text = "void"; break;
  }
  if (lanes > 1) text += "x" + std::to_string(lanes);
  return text;
}

}  // namespace loom::ir
