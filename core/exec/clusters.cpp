#include "core/exec/clusters.h"

#include <set>

#include "core/device/cluster_places.h"

namespace loom::exec {

std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks) {
  const device::ClusteredGrid grid(code.grid, code.cluster);
  std::set<std::int64_t> wanted;
  for (std::int64_t n : blocks) wanted.insert(device::clusterOf(grid, n));
  if (blocks.empty()) {
    const auto clusters = device::clustersOf(grid);
    for (std::int64_t n = 0; n < clusters[0] * clusters[1] * clusters[2]; ++n) wanted.insert(wanted.end(), n);
  }
  std::vector<std::vector<std::int64_t>> all;
  for (std::int64_t n : wanted) {
    auto& own = all.emplace_back();
    for (int b = 0; b < code.blocksOfCluster(); ++b) own.push_back(device::blockOf(grid, n, b));
  }
  return all;
}

}  // namespace loom::exec
