#pragma once

#include <optional>
#include <vector>

#include "core/profile/stall_profile.h"

namespace loom::session {

/// How often the warps of several kernels were sampled for the same reason, side by side.
struct WaitRow {
  profile::StallReason reason = profile::StallReason::kUnknown;
  std::vector<std::optional<double>> shares;  ///< of all samples of the kernel, 0 to 1, by kernel; nothing: not sampled
};

/// Returns what the warps of kernels waited for, and that they issued, side by side: a row for each reason that has at
/// least a twenty-fifth of the samples of one kernel, the largest share first. `samples` are those of the kernels;
/// null or without any: not sampled. Empty if none is.
std::vector<WaitRow> waitsOf(const std::vector<const profile::StallCount*>& samples);

/// Returns the reasons whose shares differ most between two kernels, at most two, by at least five percent of the
/// samples. Empty if one isn't sampled.
std::vector<WaitRow> movedWaits(const profile::StallCount* before, const profile::StallCount* after);

}  // namespace loom::session
