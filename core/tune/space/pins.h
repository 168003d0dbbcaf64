#pragma once

#include <vector>

#include "core/tune/space/space.h"

namespace loom::tune {

/// The allowed values of each decision of a space. A space has decisions with finite domains, and constraints between
/// them. A decision counts as pinned as soon as one value of its domain isn't allowed. Indices of decisions and values
/// must be those of the space.
class Pins {
 public:
  /// Makes pins that allow all values of all decisions.
  explicit Pins(const Space& space);

  /// Allows only these values of a decision, given by its index in Space::decisions, whatever was allowed before.
  /// Values that are not in its domain are ignored, so that no value at all may be left.
  void limitTo(int decision, const std::vector<std::int64_t>& values);
  /// Allows all values of a decision again.
  void release(int decision);

  /// Returns whether the value with index `valueIndex` in the decision's domain is allowed.
  bool allows(int decision, int valueIndex) const {
    return allowed_[static_cast<std::size_t>(decision)][static_cast<std::size_t>(valueIndex)] != 0;
  }
  /// Returns whether some value of the decision is not allowed.
  bool isPinned(int decision) const;
  /// Returns the indices of the pinned decisions, ascending.
  std::vector<int> pinned() const;

  bool operator==(const Pins&) const = default;

 private:
  std::vector<std::vector<std::int64_t>> values_;  // of each decision
  std::vector<std::vector<char>> allowed_;         // by decision and value index
};

/// Returns the space, of which `pins` must be, with only the allowed values in its domains, numbered anew; nothing if a
/// decision has no allowed value.
std::optional<Space> restricted(const Space& space, const Pins& pins);

}  // namespace loom::tune
