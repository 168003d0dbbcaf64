#pragma once

#include <memory>
#include <vector>

#include "core/tune/search/winner_path.h"

namespace loom::session {

/// A kernel whose warp stalls are to be sampled, and how densely.
struct StallOrder {
  std::shared_ptr<const document::KernelText> kernel;  ///< never null
  /// n for a sample every 2^(5 + n) clocks in each sub-partition of a multiprocessor (document::StallRequest).
  int interval = 0;
};

/// Returns the kernels of a measured path whose stalls account for its times, those that tell most first: of the
/// winner, of the path's first state, of the user's own schedule and of the construction, then of the states between.
/// A kernel that two of them have comes once; those without a measured time are left out. Empty if the path isn't
/// measured.
std::vector<StallOrder> stallOrders(const tune::WinnerPath& path);

}  // namespace loom::session
