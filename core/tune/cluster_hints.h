#pragma once

#include <optional>
#include <string>

#include "core/model/model.h"

namespace loom::tune {

/// A hint for the form in which a person fills in the arguments of the scheduling primitive `annotate` with the key
/// tileloom.cluster_x or tileloom.cluster_y: the number of waves of a kernel's grid for each possible number of thread
/// blocks of a cluster along x or y.
class ClusterHints {
 public:
  /// Makes the hints for the kernel of `model` on `device`. Returns nothing for other keys, for devices that aren't
  /// Hopper GPUs (compute capability 9.0), and if no block fits on a multiprocessor or it isn't known how many do.
  static std::optional<ClusterHints> of(const model::KernelModel& model, const model::Device& device,
                                        const std::string& key);

  /// Returns the waves if a cluster has `along` blocks along the key's axis, and along the other axes as many as the
  /// kernel has now. Returns nothing if `along` is less than 1 or the waves aren't known; whether the grid and the
  /// hardware allow `along` is for the caller to check.
  std::optional<model::Waves> wavesOf(std::int64_t along) const;

 private:
  model::Device device_;
  model::Occupancy occupancy_;
  std::int64_t grid_ = 1, others_ = 1;  // blocks of the grid, and blocks of a cluster along the other axes
};

}  // namespace loom::tune
