#include "app/panels/memory/view/time_bounds.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace loom::session {
namespace {

constexpr const char* kLsu = "memory instructions";  // model::PipeClocks' name

// What the predicted time counts for it; null: it doesn't.
const model::PipeClocks* pipeOf(const model::Estimate& estimate, const model::Roof& roof, bool tensor) {
  const std::string name = roof.compute ? (tensor ? "tensor" : "fp32") : roof.name == "shared" ? kLsu : roof.name;
  for (const model::PipeClocks& p : estimate.pipes)
    if (p.pipe == name || (name == "memory" && p.pipe == model::kColdMemory) ||
        (name == kLsu && p.pipe == roof.name))  // with roles shared memory is a pipe of its own
      return &p;
  return nullptr;
}

}  // namespace

// A rate of the whole device holds for arithmetic and shared memory as far as multiprocessors have blocks: the
// busiest has as many as there are waves of one block each.
std::vector<MemoryTimeBound> memoryTimeBounds(const model::KernelModel& m, const model::Device& device,
                                              int multiprocessors, std::int64_t launched) {
  std::vector<MemoryTimeBound> bounds;
  const double all = multiprocessors, blocks = double(launched);
  const double clock = device.value(model::Quantity::ClockMhz).value_or(0);
  for (const model::Roof& r : m.roofline.roofs) {
    if (r.rate.value <= 0) continue;
    const bool local = r.compute || r.name == "shared";
    MemoryTimeBound f;
    f.roof = r.name;
    f.bytes = r.bytes;
    f.device = r.rate;
    f.rate = r.rate.value * (local && all > 0 ? blocks / (std::ceil(blocks / all) * all) : 1);
    const model::PipeClocks* pipe = m.estimate && clock > 0 ? pipeOf(*m.estimate, r, m.roofline.tensor) : nullptr;
    if (pipe != nullptr && r.name == "l2") f.once = r.bytes, f.bytes = m.estimate->l2.bytes() - m.roofline.servedTogether;
    f.atRate = r.compute ? m.roofline.flops / (f.rate * 1e6) : f.bytes / (f.rate * 1e3);
    f.microseconds = pipe != nullptr ? pipe->clocks / clock : f.atRate;
    if (pipe != nullptr) f.pipe = pipe->pipe, f.how = pipe->how;
    bounds.push_back(std::move(f));
  }
  // Kernels without shared memory have requests, too: often they are the limit.
  const bool shared =
      std::any_of(bounds.begin(), bounds.end(), [](const MemoryTimeBound& f) { return f.roof == "shared"; });
  if (!m.estimate || clock <= 0 || shared || bounds.empty()) return bounds;
  for (const model::PipeClocks& p : m.estimate->pipes) {
    if (p.pipe != kLsu || p.clocks <= 0) continue;
    MemoryTimeBound f;
    f.roof = f.pipe = kLsu;
    f.microseconds = p.clocks / clock;
    f.how = p.how;
    bounds.push_back(std::move(f));
  }
  return bounds;
}

}  // namespace loom::session
