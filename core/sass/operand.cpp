#include "core/sass/operand.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>

#include "core/sass/operand_text.h"

namespace loom::sass {
namespace {

using std::string_view;
using OperandKind = Operand::Kind;

bool integer(string_view s, std::int64_t& value) {
  bool minus = s.starts_with('-');
  if (minus || s.starts_with('+')) s.remove_prefix(1);
  bool hex = s.starts_with("0x");
  if (hex) s.remove_prefix(2);
  std::uint64_t v = 0;
  auto parsed = std::from_chars(s.data(), s.data() + s.size(), v, hex ? 16 : 10);
  if (s.empty() || parsed.ec != std::errc{} || parsed.ptr != s.data() + s.size()) return false;
  value = minus ? -std::int64_t(v) : std::int64_t(v);
  return true;
}

// "R4", "RZ", "UR12", "P0", "UPT" with what follows a point.
bool named(string_view s, Operand& o) {
  string_view stem = s.substr(0, s.find('.')), tail = s.substr(stem.size());
  o.kind = OperandKind::Register;
  int always = 255;
  if (stem.starts_with("UR")) {
    o.kind = OperandKind::Uniform;
    stem.remove_prefix(2);
  } else if (stem.starts_with("UP")) {
    o.kind = OperandKind::UniformPredicate;
    always = 7;
    stem.remove_prefix(2);
  } else if (stem.starts_with('P')) {
    o.kind = OperandKind::Predicate;
    always = 7;
    stem.remove_prefix(1);
  } else if (stem.starts_with('R')) {
    stem.remove_prefix(1);
  } else {
    return false;
  }
  std::int64_t n = always;
  if (stem != (always == 7 ? "T" : "Z") && (!integer(stem, n) || n < 0 || n > always)) return false;
  o.index = int(n);
  o.wide = tail.find(".64") != string_view::npos;
  for (int scale : {4, 8, 16})
    if (tail == ".X" + std::to_string(scale)) o.scale = scale;
  return true;
}

Operand special(string_view name) {
  static constexpr std::array<std::pair<string_view, SpecialRegister>, 10> kNames = {
      {{"SR_TID.X", SpecialRegister::TidX},
       {"SR_TID.Y", SpecialRegister::TidY},
       {"SR_TID.Z", SpecialRegister::TidZ},
       {"SR_CTAID.X", SpecialRegister::CtaidX},
       {"SR_CTAID.Y", SpecialRegister::CtaidY},
       {"SR_CTAID.Z", SpecialRegister::CtaidZ},
       {"SR_LANEID", SpecialRegister::Lane},
       {"SR_CgaCtaId", SpecialRegister::ClusterRank},
       {"SR_SWINHI", SpecialRegister::SharedWindow},
       {"SRZ", SpecialRegister::Zero}}};
  Operand o;
  o.kind = OperandKind::Special;
  o.index = int(SpecialRegister::Unknown);
  for (const auto& [known, what] : kNames)
    if (known == name) o.index = int(what);
  return o;
}

// "desc[UR4][R2.64+UR6+0x10]": the last bracket.
Operand memory(string_view text) {
  Operand o;
  o.kind = OperandKind::Memory;
  std::size_t open = text.rfind('['), close = text.rfind(']');
  string_view inside = text.substr(open + 1, close - open - 1);
  while (!inside.empty()) {
    std::size_t end = std::min(inside.find('+', 1), inside.size());
    Operand part = parseOperand(inside.substr(0, end));
    if (part.kind == OperandKind::Immediate)
      o.value += part.value;
    else
      o.parts.push_back(std::move(part));
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return o;
}

}  // namespace

Operand parseOperand(string_view text) {
  text = trimmed(text);
  Operand o;
  string_view rest = text;
  if (rest.starts_with('-')) {
    o.minus = true;
    rest.remove_prefix(1);
  } else if (rest.starts_with('~') || rest.starts_with('!')) {
    o.invert = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with("c[")) {
    o.kind = OperandKind::Constant;
    o.value = -1;
    std::size_t second = rest.rfind('[');
    std::int64_t at = 0, bank = 0;
    if (second >= 3 && rest.ends_with(']') && integer(rest.substr(2, second - 3), bank) && bank >= 0 && bank < 32 &&
        integer(rest.substr(second + 1, rest.size() - second - 2), at)) {
      o.index = int(bank);
      o.value = at;
    }
    return o;
  }
  if (rest.starts_with("|c[")) return special({});
  if (text.find('[') != string_view::npos && text.find(']') != string_view::npos) return memory(text);
  if (text.starts_with("SR")) return special(text);
  if (named(rest, o)) return o;
  o = {};
  if (integer(text, o.value)) {
    o.real = double(o.value);
    return o;
  }
  std::string copy(text);
  char* end = nullptr;
  o.real = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() && *end == '\0') return o;
  return special({});
}

std::vector<Operand> parseOperands(string_view text) {
  std::vector<Operand> all;
  while (!text.empty()) {
    std::size_t end = std::min(text.find(", "), text.size());
    all.push_back(parseOperand(text.substr(0, end)));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return all;
}

}  // namespace loom::sass
