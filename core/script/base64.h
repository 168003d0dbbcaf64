// Decodes bytes and strings that TVM wrote into JSON as base64.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace loom::script {

// Decodes base64, up to the first '='. Returns nothing if a character before that is no base64 digit, as a blank is.
std::optional<std::string> decodeBase64(std::string_view text);

// Decodes a string that TVM saved in base64: eight bytes with its length in bytes, the lowest byte first, then its
// bytes. Returns nothing if the text isn't of this form.
std::optional<std::string> decodeSavedString(std::string_view base64);

}  // namespace loom::script
