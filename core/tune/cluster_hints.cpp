#include "core/tune/cluster_hints.h"

#include "core/lower/clusters.h"
#include "core/model/product_rate.h"

namespace loom::tune {

std::optional<ClusterHints> ClusterHints::of(const model::KernelModel& model, const model::Device& device,
                                             const std::string& key) {
  const int axis = key == lower::kClusterX ? 0 : key == lower::kClusterY ? 1 : -1;
  if (axis < 0 || !model::hasWarpgroups(device) || !model.occupancy || model.occupancy->blocks < 1) return std::nullopt;
  const device::Kernel& kernel = *model.accesses.kernel;
  ClusterHints hints;
  hints.device_ = device;
  hints.occupancy_ = *model.occupancy;
  hints.grid_ = kernel.blocks();
  hints.others_ = kernel.blocksOfCluster() / kernel.cluster[std::size_t(axis)];
  return hints;
}

std::optional<model::Waves> ClusterHints::wavesOf(std::int64_t along) const {
  if (along < 1) return std::nullopt;
  const auto waves = model::waves(device_, occupancy_, grid_, along * others_);
  return waves ? std::optional(*waves) : std::nullopt;
}

}  // namespace loom::tune
