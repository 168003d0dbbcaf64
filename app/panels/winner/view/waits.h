#pragma once

#include <optional>
#include <vector>

#include "app/session/winner_stalls.h"

namespace loom::session {

/// How often the warps of several kernels were sampled for the same reason, side by side.
struct WaitRow {
  profile::StallReason reason = profile::StallReason::kUnknown;
  std::vector<std::optional<double>> shares;  ///< of all samples of the kernel, 0 to 1, by kernel; nothing: not sampled
};

/// Returns what the warps of kernels waited for, and that they issued, side by side: a row for each reason that has at
/// least a twenty-fifth of the samples of one kernel, the largest share first. `samples` are those of the kernels;
/// null or without any: not sampled. Empty if none is.
std::vector<WaitRow> waitsOf(const std::vector<const SampledWarps*>& samples);

/// Returns the reasons whose shares differ most between two kernels, at most two, by at least five percent of the
/// samples. Empty if one isn't sampled.
std::vector<WaitRow> movedWaits(const SampledWarps* before, const SampledWarps* after);

/// The samples of a kernel, and the measured time that they divide.
struct TimedSamples {
  const SampledWarps* samples = nullptr;  ///< null: not sampled
  std::optional<double> microseconds;     ///< nothing: not measured
};

/// How much of the measured times of several kernels their warps did the same, side by side.
struct TimeRow {
  /// What they did; nothing: there was no warp, since blocks hadn't come yet or had ended.
  std::optional<profile::StallReason> reason;
  std::vector<std::optional<double>> microseconds;  ///< by kernel; nothing: not sampled
};

/// Divides the measured times of kernels by what their warps did, side by side. Where a sub-partition of a
/// multiprocessor had warps, that time is divided as their samples are; the rest is the row without a reason. All rows
/// of a kernel together are its time. Empty if no kernel is sampled, or if one that is has no measured time or no
/// `SampledWarps::occupied`.
std::vector<TimeRow> timesOf(const std::vector<TimedSamples>& kernels);

}  // namespace loom::session
