// Bytes as TVM writes them into JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace loom::script {

// The bytes that digits of base64 stand for, up to the first '='; nothing where another character is among them.
std::optional<std::string> decodeBase64(std::string_view text);

// A string that TVM saved in base64: its length in eight bytes, the lowest first, then so many characters.
std::optional<std::string> decodeSavedString(std::string_view base64);

}  // namespace loom::script
