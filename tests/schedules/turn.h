#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace loom::tests {

/// Chooses a part of a long list of test cases, so that continuous integration runs a part that varies by commit. The
/// part is the environment variable TILELOOM_TURN, a whole number that tests/run makes of the commit's hash, modulo the
/// number of parts. If it isn't set, as when a person runs the tests, or is "all", all cases are run.
class Turn {
 public:
  /// Divides the list into `parts` parts, at least 1, and prints which part is run unless all are.
  explicit Turn(std::size_t parts) {
    const char* given = std::getenv("TILELOOM_TURN");
    if (given == nullptr || std::string_view(given) == "all") return;
    parts_ = parts;
    at_ = std::size_t(std::strtoull(given, nullptr, 10)) % parts;
    std::printf("part %zu of %zu (TILELOOM_TURN=%s)\n", at_ + 1, parts_, given);
  }

  /// Returns whether the case with this number in the list is to be run.
  bool has(std::size_t number) const { return number % parts_ == at_; }
  /// Return the number of parts, which is 1 if all cases are run, and the index of the part that is run.
  std::size_t parts() const { return parts_; }
  std::size_t part() const { return at_; }

 private:
  std::size_t parts_ = 1, at_ = 0;
};

}  // namespace loom::tests
