#include "app/notation/columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::notation {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The columns of the character that begins at `at`, which is a byte of the text.
int columnsAt(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t k) {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) & 0x3fu : 0u;
  };
  const auto lead = static_cast<unsigned char>(text[at]);
  const unsigned code = lead < 0xe0 ? 0 : lead < 0xf0 ? (lead & 0xfu) << 12 | byte(1) << 6 | byte(2) : 0x20000;
  const bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                    (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                    (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) || code >= 0x20000;
  return wide ? 2 : 1;
}

}  // namespace

std::size_t characterFrom(std::string_view text, std::size_t at) {
  while (at < text.size() && continues(text[at])) ++at;
  return std::min(at, text.size());
}

int columnsOf(std::string_view text) {
  int columns = 0;
  for (std::size_t at = 0; at < text.size(); at = characterFrom(text, at + 1)) columns += columnsAt(text, at);
  return columns;
}

std::size_t bytesWithin(std::string_view text, int columns) {
  std::size_t at = 0;
  while (at < text.size() && (columns -= columnsAt(text, at)) >= 0) at = characterFrom(text, at + 1);
  return at;
}

std::string placeText(const Place& place) {
  std::string text = place.file;
  if (place.line <= 0) return text;
  text += fmt::format(":{}", place.line);
  if (place.column <= 0) return text;
  const auto before = std::size_t(place.column) - 1;
  int column = 1;
  for (std::size_t at = 0; at < before;) {
    at = at < place.text.size() ? characterFrom(place.text, at + 1) : at + 1;
    ++column;
  }
  return text + fmt::format(":{}", column);
}

}  // namespace loom::notation
