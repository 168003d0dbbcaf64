#include "core/script/literal.h"

#include <cmath>
#include <cstdio>

namespace loom::script {

std::string floatLiteral(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "\"-nan\"" : "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[400];
  std::snprintf(text, sizeof text, std::nearbyint(value) == value ? "%.1f" : "%.17g", value);
  return text;
}

std::string stringLiteral(std::string_view value) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (unsigned char c : value) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '\n': out += "\\n"; break;
      default:
        if (c >= ' ' && c <= '~') {
          out += static_cast<char>(c);
        } else {
          out += "\\x";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        }
    }
  }
  return out + "\"";
}

}  // namespace loom::script
