#pragma once

#include <cctype>
#include <string>

namespace loom::notation {

/// Returns the text in lower case, for finding and sorting: ASCII letters are changed, bytes of other characters stay.
inline std::string lowerCase(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace loom::notation
