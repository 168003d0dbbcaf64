// What the warps of a kernel waited for, sampled by its instructions. At fixed intervals the profiler looks, in each
// sub-partition of a multiprocessor, at one warp: at the instruction it would issue next, and why it doesn't.
#pragma once
#include <string>
#include <vector>

#include "core/profile/stall_reason.h"

namespace loom::profile {

// Samples by reason. `notIssued`: those of cycles in which the scheduler issued from no warp at all, so that nothing
// hid the stall.
struct StallCount {
  std::int64_t samples = 0, notIssued = 0;  // sums of the following
  std::array<std::int64_t, kStallReasons> all{}, unissued{};

  void add(const StallCount& other);
  void add(StallReason reason, std::int64_t all, std::int64_t notIssued);
  std::int64_t of(StallReason reason) const { return all[std::size_t(reason)]; }
  // Returns the share of a reason in all samples, 0 to 1; 0 without samples.
  double share(StallReason reason) const { return samples > 0 ? double(of(reason)) / double(samples) : 0; }
  // Reasons that have samples, most first.
  std::vector<StallReason> ranked() const;
  // Returns the stall with the most samples; kSelected if there is none.
  StallReason main() const;
  friend bool operator==(const StallCount&, const StallCount&) = default;
};

// The samples at one instruction.
struct InstructionStalls {
  std::int64_t offset = 0;  // bytes from the kernel's first instruction
  // As ncu prints it, with single blanks; addresses within the kernel are offsets: "@P0 BRA `(0x1290)".
  std::string text;
  std::int64_t executed = 0;  // by warps, over the grid
  StallCount stalls;
  friend bool operator==(const InstructionStalls&, const InstructionStalls&) = default;
};

// The samples of one launch.
struct StallProfile {
  std::string kernel;
  std::vector<InstructionStalls> instructions;  // by offset
  StallCount total() const;
  friend bool operator==(const StallProfile&, const StallProfile&) = default;
};

}  // namespace loom::profile
