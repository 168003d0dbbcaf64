// Values as text: f-strings' specifications, str.format and `%`.
#include <fmt/format.h>

#include <cmath>

#include "core/notebook/interpreter.h"

namespace loom::notebook {
namespace {

// [[fill]align][sign][0][width][,][.precision][type], as Python has it.
struct Specification {
  char fill = ' ', align = '\0', sign = '-', type = '\0';
  bool comma = false;
  int width = 0, precision = -1;

  static std::optional<Specification> parse(std::string_view text) {
    Specification s;
    auto isAlign = [](char c) { return c == '<' || c == '>' || c == '^' || c == '='; };
    std::size_t i = 0;
    if (text.size() > 1 && isAlign(text[1])) {
      s.fill = text[0];
      s.align = text[1];
      i = 2;
    } else if (!text.empty() && isAlign(text[0])) {
      s.align = text[0];
      i = 1;
    }
    auto number = [&](int& into) {
      into = 0;
      while (i < text.size() && text[i] >= '0' && text[i] <= '9') {
        into = into * 10 + (text[i++] - '0');
        if (into > 1000) return false;
      }
      return true;
    };
    if (i < text.size() && (text[i] == '+' || text[i] == '-' || text[i] == ' ')) s.sign = text[i++];
    if (i < text.size() && text[i] == '0') {
      if (s.align == '\0') {
        s.fill = '0';
        s.align = '=';
      }
      ++i;
    }
    if (!number(s.width)) return std::nullopt;
    if (i < text.size() && (text[i] == ',' || text[i] == '_')) s.comma = true, ++i;
    if (i < text.size() && text[i] == '.') {
      ++i;
      if (!number(s.precision)) return std::nullopt;
    }
    if (i < text.size()) s.type = text[i++];
    return i == text.size() ? std::optional(s) : std::nullopt;
  }

  std::string padded(const std::string& text, char natural) const {
    const int missing = width - int(text.size());
    if (missing <= 0) return text;
    const char how = align == '\0' ? natural : align;
    if (how == '<') return text + std::string(std::size_t(missing), fill);
    if (how == '^') {
      return std::string(std::size_t(missing / 2), fill) + text + std::string(std::size_t(missing - missing / 2), fill);
    }
    if (how == '=' && !text.empty() && (text[0] == '-' || text[0] == '+')) {
      return text[0] + std::string(std::size_t(missing), fill) + text.substr(1);
    }
    return std::string(std::size_t(missing), fill) + text;
  }
};

std::string withCommas(std::string digits) {
  std::size_t end = digits.find('.');
  if (end == std::string::npos) end = digits.size();
  const std::size_t first = !digits.empty() && (digits[0] == '-' || digits[0] == '+') ? 1 : 0;
  for (std::size_t i = end; i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::optional<std::string> numberText(const Value& v, const Specification& s) {
  std::string text;
  const bool isReal = std::string_view("fFeEgG%").find(s.type) != std::string_view::npos && s.type != '\0';
  if (v.integer() && !isReal) {
    const std::int64_t i = *v.integer();
    const auto magnitude = i < 0 ? 0 - std::uint64_t(i) : std::uint64_t(i);
    switch (s.type) {
      case '\0':
      case 'd':
      case 'i': text = fmt::format("{}", magnitude); break;
      case 'x': text = fmt::format("{:x}", magnitude); break;
      case 'X': text = fmt::format("{:X}", magnitude); break;
      case 'o': text = fmt::format("{:o}", magnitude); break;
      case 'b': text = fmt::format("{:b}", magnitude); break;
      default: return std::nullopt;
    }
    if (i < 0) {
      text = "-" + text;
    } else if (s.sign != '-') {
      text = s.sign + text;
    }
  } else {
    const double d = *v.number();
    const int precision = s.precision < 0 ? 6 : s.precision;
    switch (s.type) {
      case '\0': text = s.precision < 0 ? textOf(Value{d}) : fmt::format("{:.{}g}", d, precision); break;
      case 'f':
      case 'F': text = fmt::format("{:.{}f}", d, precision); break;
      case 'e': text = fmt::format("{:.{}e}", d, precision); break;
      case 'E': text = fmt::format("{:.{}E}", d, precision); break;
      case 'g':
      case 'G': text = fmt::format("{:.{}g}", d, precision); break;
      case '%': text = fmt::format("{:.{}f}%", d * 100, precision); break;
      default: return std::nullopt;
    }
    if (s.sign != '-' && !std::signbit(d)) text = s.sign + text;
  }
  return s.comma ? withCommas(text) : text;
}

}  // namespace

std::string Interpreter::formatValue(const Value& v, const std::string& specification, const Node& at) {
  if (specification.empty()) return textOf(v);
  auto s = Specification::parse(specification);
  if (s && v.number()) {
    if (auto text = numberText(v, *s)) return s->padded(*text, '>');
  } else if (s && (s->type == '\0' || s->type == 's')) {
    std::string text = textOf(v);
    if (s->precision >= 0) text = text.substr(0, std::size_t(s->precision));
    return s->padded(text, '<');
  }
  raise(at, "ValueError", message("'{}' is no format of {}", specification, v.describe()));
}

Value Interpreter::percentFormat(const std::string& format, const Value& value, const Node& at) {
  if (auto* o = opaquePart(value)) return opaque(o->what);
  std::vector<Value> values{value};
  if (auto* list = value.sequence(); list && list->kind == Sequence::Kind::Tuple) values = list->items;
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    const std::size_t end = format.find_first_not_of("+- 0123456789.", i + 1);
    if (end == std::string::npos) raise(at, "ValueError", message("the format ends after '%'"));
    if (format[end] == '%') {
      text += '%';
      i = end;
      continue;
    }
    if (next == values.size()) raise(at, "TypeError", message("the format has more places than there are values"));
    std::string specification = format.substr(i + 1, end - i - 1);
    const char type = format[end];
    const Value& v = values[next++];
    if (type == 's' || type == 'r') {
      text += formatValue(Value{type == 's' ? textOf(v) : representation(v)}, specification, at);
    } else if (v.number() && type == 'd') {
      text += formatValue(Value{std::int64_t(*v.number())}, specification + "d", at);
    } else {
      text += formatValue(v, specification + type, at);
    }
    i = end;
  }
  if (next != values.size()) raise(at, "TypeError", message("there are more values than the format has places"));
  return {text};
}

}  // namespace loom::notebook
