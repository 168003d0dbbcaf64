#include "core/tune/rules/kernel_times.h"

#include <algorithm>

#include "core/model/model.h"

namespace loom::tune {

namespace {

// What a thread waits for, one load after another, in microseconds: the model of a program as written has no latency.
// Compilers write four trips of a loop out and ask for their loads together. At the least, as if nothing else took
// time: sums of columns of 4099 × 1027 with 65 blocks, 257 trips each, took 24.8 µs on an H200 where the model had 4.7
// (2026-11-29), and 6.3 with sums in eight parts.
double waitedFor(const model::KernelModel& k, const model::Device& device) {
  constexpr double kTogether = 4;
  double trips = 0;
  for (const model::Access& a : k.accesses.accesses) {
    if (a.write || a.memory != device::Memory::Global || device::isBeside(a.agent)) continue;
    double own = 1;
    for (const int loop : a.loops)
      if (!k.accesses.loops[std::size_t(loop)].unroll) own *= double(k.accesses.loops[std::size_t(loop)].extent);
    trips = std::max(trips, own);
  }
  const double megahertz = device.value(model::Quantity::ClockMhz).value_or(0);
  if (megahertz <= 0 || trips <= kTogether) return 0;
  const model::CalibratedConstants constants;
  return trips / kTogether * constants.missLatency / megahertz + constants.launchMicroseconds;
}

}  // namespace

Result<KernelTimes::Time> KernelTimes::of(const device::Kernel& kernel, const model::Device& device) {
  device::Program alone;
  alone.kernels = {kernel};
  alone.kernels.front().name = "kernel";
  const std::string text = device.id + device::print(alone);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
  }
  const model::KernelModel made = model::modelOf(kernel, device);
  Result<Time> time = Time{};
  if (made.estimate) {
    time = Time{made.estimate->microseconds, std::max(made.estimate->microseconds, waitedFor(made, device))};
  } else {
    time = Failure(made.estimate.error());
  }
  const std::lock_guard lock(mutex_);
  known_.emplace(text, time);
  return time;
}

}  // namespace loom::tune
