#pragma once

#include <optional>
#include <string>

#include "core/model/model.h"

namespace loom::tune {

/// A hint for the form of `annotate` with the keys tileloom.cluster_x and tileloom.cluster_y: what another number of
/// blocks in a cluster does to the waves of a kernel's grid.
class ClusterHints {
 public:
  /// Makes the hints for the kernel that `model` is of. Returns nothing for other keys, for devices before compute
  /// capability 9.0, and if it isn't known how many blocks fit on a multiprocessor.
  static std::optional<ClusterHints> of(const model::KernelModel& model, const model::Device& device,
                                        const std::string& key);

  /// Returns the waves with so many blocks of a cluster along the key's axis; along the others clusters stay as they
  /// are. Nothing for a number below 1.
  std::optional<model::Waves> wavesOf(std::int64_t along) const;

 private:
  model::Device device_;
  model::Occupancy occupancy_;
  std::int64_t grid_ = 1, others_ = 1;  // blocks of the grid, and of a cluster along the other axes
};

}  // namespace loom::tune
