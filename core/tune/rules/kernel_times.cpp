#include "core/tune/rules/kernel_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "core/model/model.h"

namespace loom::tune {

namespace {

// What a thread waits for, one load after another, in microseconds: the model of a program as written has no latency.
// Compilers write four trips of a loop out and ask for their loads together. At the least, as if nothing else took
// time: sums of columns of 4099 × 1027 with 65 blocks, 257 trips each, took 24.8 µs on an H200 where the model had 4.7
// (2026-11-29), and 6.3 with sums in eight parts.
double waitedFor(const model::KernelAccesses& k, const model::Device& device) {
  constexpr double kTogether = 4;
  double trips = 0;
  for (const model::Access& a : k.accesses) {
    if (a.write || a.memory != device::Memory::Global || device::isBeside(a.agent)) continue;
    double own = 1;
    for (const int loop : a.loops)
      if (!k.loops[std::size_t(loop)].unroll) own *= double(k.loops[std::size_t(loop)].extent);
    trips = std::max(trips, own);
  }
  const double megahertz = device.value(model::Quantity::ClockMhz).value_or(0);
  if (megahertz <= 0 || trips <= kTogether) return 0;
  const model::CalibratedConstants constants;
  return trips / kTogether * constants.missLatency / megahertz + constants.launchMicroseconds;
}

// The text of a kernel with numbers in place of its buffers' names, and without the names of blocks: of kernels that
// differ in names alone it is the same.
std::string withoutNames(const device::Kernel& kernel) {
  device::Program alone;
  alone.kernels = {kernel};
  alone.kernels.front().name = "kernel";
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (const auto& buffer : kernel.params) numbers.emplace(buffer->name, numbers.size());
  for (const device::Allocation& a : kernel.allocations) numbers.emplace(a.buffer->name, numbers.size());
  const std::string text = device::print(alone);
  const auto isOfName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  std::string made;
  for (std::string_view left = text; !left.empty();) {
    if (left.starts_with("# ") && made.find_last_not_of(' ') == made.rfind('\n')) {
      left.remove_prefix(std::min(left.find('\n'), left.size()));
      continue;
    }
    const auto end = std::ranges::find_if_not(left, isOfName) - left.begin();
    const std::string_view word = left.substr(0, std::max<std::size_t>(std::size_t(end), 1));
    const auto number = numbers.find(word);
    made += number == numbers.end() ? std::string(word) : "$" + std::to_string(number->second);
    left.remove_prefix(word.size());
  }
  return made;
}

// What tells kernels apart that take different times on one device: those of equal keys differ in names alone.
std::string keyOf(const device::Kernel& kernel, const model::Device& device) {
  std::string key = device.id + "\n";
  for (const auto& buffer : kernel.params) {
    key += buffer->dtype.str();
    for (const ir::Expr& extent : buffer->shape)
      key += ir::asInt(extent) ? fmt::format(" {}", ir::asInt(extent)->value) : " ?";
    key += "\n";
  }
  return key + withoutNames(kernel);
}

}  // namespace

Result<KernelTimes::Time> KernelTimes::of(const device::Kernel& kernel, const model::Device& device) {
  const std::string text = keyOf(kernel, device);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
  }
  const model::KernelAccesses accesses = model::accessesOf(kernel);
  const auto made = model::estimateOf(accesses, device);
  if (!made) return Failure(made.error());  // which may name a buffer
  const Time time{made->microseconds, std::max(made->microseconds, waitedFor(accesses, device))};
  const std::lock_guard lock(mutex_);
  known_.emplace(text, time);
  return time;
}

}  // namespace loom::tune
