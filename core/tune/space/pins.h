#pragma once

#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// Which values of which decisions are allowed. Where nothing is pinned, all are.
class Pins {
 public:
  /// Makes pins of which none is set.
  explicit Pins(const Space& space);

  /// Allows these values of a decision alone. Values that are not in its domain are passed over, so that none at all
  /// may be left.
  void limitTo(int decision, const std::vector<std::int64_t>& values);
  /// Allows all values of a decision again.
  void release(int decision);

  bool allows(int decision, int valueIndex) const {
    return allowed_[static_cast<std::size_t>(decision)][static_cast<std::size_t>(valueIndex)] != 0;
  }
  /// Returns true if some value of the decision is not allowed.
  bool isPinned(int decision) const;
  /// Returns the pinned decisions, ascending.
  std::vector<int> pinned() const;

  bool operator==(const Pins&) const = default;

 private:
  std::vector<std::vector<std::int64_t>> values_;  // of each decision
  std::vector<std::vector<char>> allowed_;         // by decision and value index
};

/// Returns the space with the allowed values alone. Nothing if a decision has none left.
std::optional<Space> restricted(const Space& space, const Pins& pins);

}  // namespace loom::tune
