#pragma once

#include <atomic>
#include <optional>

#include "core/ir/result.h"

namespace loom::tune {

/// The limits of the work that a count may take.
struct CountLimits {
  int nodes = 2'000'000;
  double seconds = 1;                       ///< of the counting thread: a busy machine does not make a space too large
  const std::atomic<bool>* stop = nullptr;  ///< null: nobody stops it
};

/// Limits while something is counted: the clock runs from the construction on. One thread makes and asks it.
class LimitWatch {
 public:
  explicit LimitWatch(const CountLimits& limits);
  /// Returns which limit is reached with so many nodes: `TooManyNodes`, `TooLong` or `Stopped`; nothing within limits.
  /// Costs a look at the clock.
  std::optional<Error> reached(std::size_t nodes) const;

 private:
  CountLimits limits_;
  double begin_;  // seconds that the thread has computed
};

/// Returns the failure of what cannot be counted exactly: `CountOverflow`.
Failure countOverflow();

}  // namespace loom::tune
