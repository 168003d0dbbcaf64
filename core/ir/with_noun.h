// Counts in English sentences.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace loom {

// "1 state", "3 states": for nouns that take an s.
inline std::string withNoun(std::int64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace loom
