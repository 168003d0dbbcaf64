#include "app/panels/memory/view/change.h"

#include <cmath>

namespace loom::session {

MemoryChange memoryChange(const MemoryView& before, const MemoryView& after) {
  MemoryChange change;
  for (const MemoryBuffer& b : after.buffers) {
    const MemoryBuffer* old = before.find(b.name, b.level);
    // How many threads have registers is known of kernels alone: there, what each has is compared.
    auto size = [](const MemoryBuffer& of) { return of.perThread > 0 ? of.perThread : of.bytes; };
    const bool alike = before.kernel == after.kernel;
    const bool sized = before.allocated == after.allocated && old != nullptr &&
                       (alike ? old->bytes != b.bytes || old->ways != b.ways : size(*old) != size(b));
    change.buffers.push_back(old == nullptr || sized);
  }
  for (const MemoryTraffic& t : after.traffic) {
    const MemoryTraffic* old = before.find(t.from, t.to, t.column);
    change.trafficBefore.push_back(old != nullptr ? old->bytes : -1);
    change.traffic.push_back(before.kernel && (old == nullptr || std::abs(old->bytes - t.bytes) > 0.5));
  }
  return change;
}

}  // namespace loom::session
