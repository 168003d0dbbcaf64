#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace loom::tests {

/// One part of a long list of cases: each commit's continuous integration tries one of `parts`, the next commits the
/// others. The part follows from TILELOOM_TURN, a whole number that tests/run makes of the commit's hash; where it
/// isn't set, as in a test that a person runs, or is `all`, all cases are tried.
class Turn {
 public:
  explicit Turn(std::size_t parts) {
    const char* given = std::getenv("TILELOOM_TURN");
    if (given == nullptr || std::string_view(given) == "all") return;
    parts_ = parts;
    at_ = std::size_t(std::strtoull(given, nullptr, 10)) % parts;
    std::printf("part %zu of %zu (TILELOOM_TURN=%s)\n", at_ + 1, parts_, given);
  }

  /// Whether the case is tried now, by its number in the list.
  bool has(std::size_t number) const { return number % parts_ == at_; }
  /// In how many parts the list is tried: 1 where all cases are.
  std::size_t parts() const { return parts_; }
  std::size_t part() const { return at_; }

 private:
  std::size_t parts_ = 1, at_ = 0;
};

}  // namespace loom::tests
