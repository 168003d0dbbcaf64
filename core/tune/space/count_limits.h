#pragma once

#include <atomic>
#include <optional>

#include "core/ir/result.h"

namespace loom::tune {

/// The limits of the work that counting the schedules of a space, or looking for one of them, may take.
struct CountLimits {
  int nodes = 2'000'000;  ///< nodes of the decision diagram (Diagram), or partial results that are kept
  double seconds = 1;     ///< CPU time of the counting thread, so that other load doesn't matter
  const std::atomic<bool>* stop = nullptr;  ///< the count ends when this becomes true; null: nothing stops it
};

/// A watch over the limits of a count, whose clock starts at the construction. CountLimits::stop must outlive it. All
/// calls must be made by the thread that constructs it.
class LimitWatch {
 public:
  explicit LimitWatch(const CountLimits& limits);
  /// Returns the error for the first limit that a count with so many nodes has exceeded: `Stopped`, `TooManyNodes` or
  /// `TooLong`; nothing if it is within all limits. Each call reads the clock.
  std::optional<Error> reached(std::size_t nodes) const;

 private:
  CountLimits limits_;
  double begin_;  // seconds that the thread has computed
};

/// Returns the failure `CountOverflow`: a count's numbers are too large to be exact.
Failure countOverflow();

}  // namespace loom::tune
