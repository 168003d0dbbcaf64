#include "core/script/base64.h"

#include <cstdint>

namespace loom::script {

std::optional<std::string> decodeBase64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned bits = 0;
  int count = 0;
  for (char c : text) {
    if (c == '=') break;
    auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>((bits >> count) & 0xff);
  }
  return bytes;
}

std::optional<std::string> decodeSavedString(std::string_view base64) {
  auto bytes = decodeBase64(base64);
  if (!bytes || bytes->size() < 8) return std::nullopt;
  std::uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = (length << 8) | static_cast<unsigned char>((*bytes)[std::size_t(i)]);
  if (length != bytes->size() - 8) return std::nullopt;
  return bytes->substr(8);
}

}  // namespace loom::script
