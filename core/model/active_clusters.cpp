#include "core/model/active_clusters.h"

#include <algorithm>

namespace loom::model {

std::int64_t ActiveClusters::clustersWith(std::int64_t blocksEach) const {
  if (gpcs.empty()) return multiprocessors * blocksEach / size;
  std::int64_t all = 0;
  for (const GpcClusters& gpc : gpcs) all += gpc.multiprocessors * blocksEach / size;
  return all;
}

std::int64_t ActiveClusters::busiest(std::int64_t grid) const {
  if (blocks() <= 0) return 0;
  std::int64_t most = grid / blocks() * perMultiprocessor;
  const std::int64_t rest = grid % blocks();
  if (rest == 0) return most;
  std::int64_t each = 1;
  while (each < perMultiprocessor && clustersWith(each) * size < rest) ++each;
  return most + each;
}

Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, std::int64_t size) {
  const auto multiprocessors = device.need(Quantity::Multiprocessors);
  if (!multiprocessors) return Failure(multiprocessors.error());
  if (size < 1) return fail("InvalidArgument", message("a cluster of {} blocks", size), Forbids::Input);
  ActiveClusters active;
  active.size = size;
  active.perMultiprocessor = occupancy.blocks;
  active.multiprocessors = std::int64_t(*multiprocessors);
  for (const int each : device.gpcs.multiprocessors) {
    active.gpcs.push_back({each, each * active.perMultiprocessor / size});
    active.clusters += active.gpcs.back().clusters;
  }
  if (active.gpcs.empty()) active.clusters = active.places() / size;
  return active;
}

Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, const device::Kernel& kernel) {
  return activeClusters(device, occupancy, kernel.blocksOfCluster());
}

Result<Waves> waves(const Device& device, const Occupancy& o, std::int64_t blocks, std::int64_t cluster) {
  auto clusters = activeClusters(device, o, cluster);
  if (!clusters) return Failure(clusters.error());
  if (blocks < 1) return fail("InvalidArgument", message("a grid of {} blocks", blocks), Forbids::Input);
  Waves w;
  w.blocks = blocks;
  w.clusters = std::move(*clusters);
  w.slots = w.clusters.blocks();
  if (w.slots == 0) return w;
  w.full = blocks / w.slots;
  w.last = blocks % w.slots;
  w.efficiency = double(blocks) / double(w.slots * w.count());
  w.busyMultiprocessors = w.full > 0 ? w.clusters.usableMultiprocessors() / double(w.clusters.multiprocessors)
                                     : std::min(1.0, double(blocks) / double(w.clusters.multiprocessors));
  return w;
}

}  // namespace loom::model
