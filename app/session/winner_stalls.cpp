#include "app/session/winner_stalls.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/document/kernel.h"

namespace loom::session {

namespace {

// Some 64 samples in each of the hundreds of sub-partitions settle shares to a percent, and don't fill the profiler's
// buffer.
int intervalFor(double microseconds) {
  constexpr double kClocksPerMicrosecond = 1500, kSamples = 64;  // roughly the clock of any GPU that has a profiler
  const double clocks = microseconds * kClocksPerMicrosecond / kSamples;
  const int exponent = std::bit_width(std::uint64_t(std::clamp(clocks, 1.0, 1e15))) - 1;
  return std::clamp(exponent - 5, 0, 31);
}

}  // namespace

std::vector<StallOrder> stallOrders(const tune::WinnerPath& path) {
  std::vector<StallOrder> orders;
  const auto add = [&](const auto& state) {
    const auto isSame = [&](const StallOrder& order) { return order.kernel->key == state.kernel->key; };
    if (state.measured && std::ranges::none_of(orders, isSame))
      orders.push_back({state.kernel, intervalFor(*state.measured)});
  };
  if (!path.isMeasured) return orders;
  add(path.states.back());
  add(path.states.front());
  if (path.own) add(*path.own);
  if (path.construction) add(*path.construction);
  for (const tune::PathState& state : path.states) add(state);
  return orders;
}

}  // namespace loom::session
