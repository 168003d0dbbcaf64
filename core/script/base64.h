// Bytes as TVM writes them into JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace loom::script {

// Decodes base64, up to the first '='. Returns nothing if another character is among the digits.
std::optional<std::string> decodeBase64(std::string_view text);

// Decodes a string that TVM saved in base64: its length in eight bytes, the lowest first, then so many characters.
// Returns nothing if it isn't one.
std::optional<std::string> decodeSavedString(std::string_view base64);

}  // namespace loom::script
