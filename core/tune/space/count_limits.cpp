#include "core/tune/space/count_limits.h"

#include <ctime>

namespace loom::tune {
namespace {

double secondsOfThread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

LimitWatch::LimitWatch(const CountLimits& limits) : limits_(limits), begin_(secondsOfThread()) {}

std::optional<Error> LimitWatch::reached(std::size_t nodes) const {
  if (limits_.stop && limits_.stop->load(std::memory_order_relaxed)) {
    return fail("Stopped", message("not counted: it was stopped"), Forbids::Environment).value();
  }
  if (nodes > static_cast<std::size_t>(limits_.nodes)) {
    return fail("TooManyNodes", message("not counted: its diagram has more than {} nodes", limits_.nodes),
                Forbids::Environment)
        .value();
  }
  if (secondsOfThread() - begin_ > limits_.seconds) {
    return fail("TooLong", message("not counted: it takes more than {} s", limits_.seconds), Forbids::Environment)
        .value();
  }
  return std::nullopt;
}

Failure countOverflow() {
  return fail("CountOverflow", message("not counted: its numbers are too large to be exact"), Forbids::Environment);
}

}  // namespace loom::tune
