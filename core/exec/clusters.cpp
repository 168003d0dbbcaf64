#include "core/exec/clusters.h"

#include <set>

#include "core/device/lane_values.h"

namespace loom::exec {

std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks) {
  using device::numberAt, device::placeAt;
  const auto &grid = code.grid, &cluster = code.cluster;
  const std::array<std::int64_t, 3> clusters{grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]};
  std::set<std::int64_t> wanted;
  for (std::int64_t n : blocks) {
    auto place = placeAt(grid, n);
    for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] /= cluster[axis];
    wanted.insert(numberAt(clusters, place));
  }
  if (blocks.empty())
    for (std::int64_t n = 0; n < clusters[0] * clusters[1] * clusters[2]; ++n) wanted.insert(wanted.end(), n);
  std::vector<std::vector<std::int64_t>> all;
  for (std::int64_t n : wanted) {
    auto& own = all.emplace_back();
    for (int b = 0; b < code.blocksOfCluster(); ++b) {
      auto place = placeAt(clusters, n);
      const auto within = placeAt(cluster, b);
      for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] = place[axis] * cluster[axis] + within[axis];
      own.push_back(numberAt(grid, place));
    }
  }
  return all;
}

}  // namespace loom::exec
