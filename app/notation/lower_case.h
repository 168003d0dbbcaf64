#pragma once

#include <cctype>
#include <string>

namespace loom::notation {

/// Returns the text in lower case, for finding and sorting: ASCII letters are changed; other bytes stay, as no locale
/// but "C" or a UTF-8 one is set.
inline std::string lowerCase(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace loom::notation
