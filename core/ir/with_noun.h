// Counts in English sentences.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace loom {

// Returns a count with its noun, for nouns that take an s: "1 state", "3 states".
inline std::string withNoun(std::int64_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace loom
