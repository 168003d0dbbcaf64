#include "core/device/cluster_places.h"

#include "core/device/lane_values.h"

namespace loom::device {
namespace {

std::array<std::int64_t, 3> clustersOf(const Kernel& kernel) {
  std::array<std::int64_t, 3> clusters = kernel.grid;
  for (std::size_t axis = 0; axis < 3; ++axis) clusters[axis] /= kernel.cluster[axis];
  return clusters;
}

}  // namespace

std::int64_t clusterOf(const Kernel& kernel, std::int64_t block) {
  auto place = blockAt(kernel, block);
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] /= kernel.cluster[axis];
  return numberAt(clustersOf(kernel), place);
}

std::int64_t rankInCluster(const Kernel& kernel, std::int64_t block) {
  auto place = blockAt(kernel, block);
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] %= kernel.cluster[axis];
  return numberAt(kernel.cluster, place);
}

std::int64_t blockOf(const Kernel& kernel, std::int64_t cluster, std::int64_t rank) {
  auto place = placeAt(clustersOf(kernel), cluster);
  const auto within = placeAt(kernel.cluster, rank);
  for (std::size_t axis = 0; axis < 3; ++axis) place[axis] = place[axis] * kernel.cluster[axis] + within[axis];
  return numberAt(kernel.grid, place);
}

}  // namespace loom::device
