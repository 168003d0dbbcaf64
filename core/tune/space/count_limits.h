#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "core/ir/result.h"

namespace loom::tune {

/// How much work a count may be.
struct CountLimits {
  int nodes = 2'000'000;
  double seconds = 1;
  const std::atomic<bool>* stop = nullptr;  ///< null: nobody stops it
};

/// Limits while something is counted: the clock runs from the construction on.
class LimitWatch {
 public:
  explicit LimitWatch(const CountLimits& limits) : limits_(limits) {}
  /// Returns which limit is reached with so many nodes: `TooManyNodes`, `TooLong` or `Stopped`; nothing within limits.
  /// Costs a look at the clock.
  std::optional<Error> reached(std::size_t nodes) const;

 private:
  CountLimits limits_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Returns the failure of what cannot be counted exactly: `CountOverflow`.
Failure countOverflow();

}  // namespace loom::tune
