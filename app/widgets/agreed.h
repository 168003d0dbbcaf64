#pragma once

#include <optional>
#include <utility>

namespace loom::panels {

/// What a panel and its twin show alike though each has a control for it: whichever was changed last leads.
template <typename T>
class Agreed {
 public:
  /// For each frame. What both are to have where one of them has changed; the panel's own when they first meet. One
  /// that can't have it keeps its own: that is no change.
  std::optional<T> lead(T own, T twins) {
    std::optional<T> wanted;
    if (!own_ || (own != *own_ && twins == *twins_)) wanted = own;
    if (own_ && twins != *twins_) wanted = twins;
    own_ = std::move(own);
    twins_ = std::move(twins);
    return wanted;
  }

 private:
  std::optional<T> own_, twins_;  ///< as they last were
};

}  // namespace loom::panels
