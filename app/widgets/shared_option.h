#pragma once

#include <optional>
#include <utility>

namespace loom::panels {

/// A display option shared by the two copies of a panel while two states are compared: this panel, and its twin, which
/// draws the state compared with. When the copies differ, the value that the user changed last applies to both.
template <typename T>
class SharedOption {
 public:
  /// Returns the value that both copies are to take, or nothing if neither has changed since the last call. One of the
  /// two copies owns the object, calls this once per frame with its own value and that of its twin, and sets the
  /// returned value in both. In the first call its own value leads; if both have changed since the last call, the
  /// twin's does. A copy that cannot take the value keeps its own, which counts as no change.
  std::optional<T> settle(T own, T twins) {
    const bool ownChanged = own_ && own != *own_ && own != given_;
    const bool twinsChanged = own_ && twins != *twins_ && twins != given_;
    given_.reset();
    if (!own_ || (ownChanged && !twinsChanged)) given_ = own;
    if (twinsChanged) given_ = twins;
    own_ = std::move(own);
    twins_ = std::move(twins);
    return given_;
  }

 private:
  std::optional<T> own_, twins_;  ///< the values in the last call
  std::optional<T> given_;        ///< what the last call returned: a copy that has this value now has only taken it
};

}  // namespace loom::panels
