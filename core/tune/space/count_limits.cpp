#include "core/tune/space/count_limits.h"

namespace loom::tune {

std::optional<Error> LimitWatch::reached(std::size_t nodes) const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  if (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) {
    return fail("Stopped", message("not counted: it was stopped"), Forbids::Environment).value();
  }
  if (nodes > static_cast<std::size_t>(limits_.nodes)) {
    return fail("TooManyNodes", message("not counted: its diagram has more than {} nodes", limits_.nodes),
                Forbids::Environment)
        .value();
  }
  if (passed.count() > limits_.seconds) {
    return fail("TooLong", message("not counted: it takes more than {} s", limits_.seconds), Forbids::Environment)
        .value();
  }
  return std::nullopt;
}

Failure countOverflow() {
  return fail("CountOverflow", message("not counted: its numbers are too large to be exact"), Forbids::Environment);
}

}  // namespace loom::tune
