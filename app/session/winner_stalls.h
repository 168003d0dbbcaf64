#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/profile/stall_profile.h"
#include "core/tune/search/winner_path.h"

namespace loom::session {

/// A kernel whose warp stalls are to be sampled, and how densely.
struct StallOrder {
  std::shared_ptr<const document::KernelText> kernel;  ///< never null
  /// n for a sample every 2^(5 + n) clocks in each sub-partition of a multiprocessor (document::StallRequest).
  int interval = 0;
};

/// What the warps of a schedule's kernels were sampled to do.
struct SampledWarps {
  profile::StallCount stalls;      ///< sums over all instructions
  std::optional<double> occupied;  ///< StateProfile::occupiedShare
};

/// Returns the kernels of a measured path whose stalls account for its times, those that tell most first: of the
/// winner, of the path's first state, of the user's own schedule and of the construction, then of the states between.
/// A kernel that two of them have comes once; those without a measured time are left out. Empty if the path isn't
/// measured.
std::vector<StallOrder> stallOrders(const tune::WinnerPath& path);

}  // namespace loom::session
