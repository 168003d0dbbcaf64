// What names a text in file names and keys: 64-bit FNV-1a. Whoever must not confuse two texts compares the texts, too.
#pragma once
#include <cstdint>
#include <string_view>

namespace loom::compile {

constexpr std::uint64_t contentHash(std::string_view text) {
  std::uint64_t hash = 1469598103934665603ull;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

}  // namespace loom::compile
