#pragma once

#include <cctype>
#include <string>

namespace loom::notation {

/// For finding and sorting whatever the case: ASCII letters only, bytes of other characters stay.
inline std::string lowerCase(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace loom::notation
