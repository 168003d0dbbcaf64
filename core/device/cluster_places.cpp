#include "core/device/cluster_places.h"

#include "core/device/lane_values.h"

namespace loom::device {

ClusteredGrid::Extents clustersOf(const ClusteredGrid& g) {
  ClusteredGrid::Extents clusters = g.grid;
  for (std::size_t axis = 0; axis < clusters.size(); ++axis) clusters[axis] /= g.cluster[axis];
  return clusters;
}

std::int64_t clusterOf(const ClusteredGrid& g, std::int64_t block) {
  auto place = placeAt(g.grid, block);
  for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] /= g.cluster[axis];
  return numberAt(clustersOf(g), place);
}

std::int64_t rankInCluster(const ClusteredGrid& g, std::int64_t block) {
  auto place = placeAt(g.grid, block);
  for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] %= g.cluster[axis];
  return numberAt(g.cluster, place);
}

std::int64_t blockOf(const ClusteredGrid& g, std::int64_t cluster, std::int64_t rank) {
  auto place = placeAt(clustersOf(g), cluster);
  const auto within = placeAt(g.cluster, rank);
  for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] = place[axis] * g.cluster[axis] + within[axis];
  return numberAt(g.grid, place);
}

}  // namespace loom::device
