// Samples of what the warps of a kernel waited for, at each of its instructions. At fixed intervals the profiler
// samples one warp in each sub-partition of a multiprocessor: the instruction that the warp issues next, and the reason
// why it doesn't issue it yet.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/profile/stall_reason.h"

namespace loom::profile {

// Numbers of samples by reason. Samples that are "not issued" were taken in cycles in which the scheduler issued from
// no warp at all, so that no other warp hid the stall.
struct StallCount {
  std::int64_t samples = 0, notIssued = 0;                    // sums of `all` and of `unissued`
  std::array<std::int64_t, kStallReasons> all{}, unissued{};  // all samples, and those not issued, by StallReason

  // Adds all samples of `other`.
  void add(const StallCount& other);
  // Adds samples of one reason: as many as the argument `all` says, of which `notIssued` are not issued.
  void add(StallReason reason, std::int64_t all, std::int64_t notIssued);
  // Returns the number of samples of a reason.
  std::int64_t of(StallReason reason) const { return all[std::size_t(reason)]; }
  // Returns the share of a reason in all samples, 0 to 1; 0 without samples.
  double share(StallReason reason) const { return samples > 0 ? double(of(reason)) / double(samples) : 0; }
  // Returns the reasons that have samples, the one with the most samples first; equal ones in the order of
  // `stallReasons()`.
  std::vector<StallReason> ranked() const;
  // Returns the reason, other than kSelected and kNotSelected, that has the most samples, the first such one of
  // `ranked()`; kSelected if none of these reasons has samples.
  StallReason main() const;
  friend bool operator==(const StallCount&, const StallCount&) = default;
};

// The samples at one instruction.
struct InstructionStalls {
  std::int64_t offset = 0;  // bytes from the kernel's first instruction
  // The instruction as ncu prints it, with single blanks; addresses within the kernel are offsets: "@P0 BRA `(0x1290)".
  std::string text;
  std::int64_t executed = 0;  // how often warps of the grid executed the instruction
  StallCount stalls;
  friend bool operator==(const InstructionStalls&, const InstructionStalls&) = default;
};

// How long the sub-partitions of the multiprocessors had warps during a launch: the means over all sub-partitions.
struct WarpClocks {
  double occupied = 0;  // clocks in which a sub-partition had at least one warp
  double whole = 0;     // clocks of the launch, from its start to its end
  friend bool operator==(const WarpClocks&, const WarpClocks&) = default;
};

// The samples of one kernel launch.
struct StallProfile {
  std::string kernel;                           // the kernel's name, as sass::Kernel::name has it
  std::vector<InstructionStalls> instructions;  // in ascending order of `offset`
  std::optional<WarpClocks> clocks = {};        // nothing: not counted; files of profiles don't keep them
  // Returns the sum of the samples at all instructions.
  StallCount total() const;
  friend bool operator==(const StallProfile&, const StallProfile&) = default;
};

}  // namespace loom::profile
