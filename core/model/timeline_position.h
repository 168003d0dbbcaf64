#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/device/memory_level.h"
#include "core/model/timeline.h"

namespace loom::model {

/// A point in time in the life of a thread block: the statements that run at that time, the values of the loops around
/// them, and what the statements access. `block` and `blocks` name TIR blocks of the program. The leading block is the
/// one whose statement occupies the busiest pipe.
struct TimelinePosition {
  /// A loop around the leading statement.
  struct Loop {
    ir::Var var;
    ir::Id id;  ///< the loop's id in the scheduled program
    std::int64_t value = 0, extent = 1;
    bool runs = false;  ///< true if the loop takes all its values at this point, so that `value` says nothing
  };
  /// An access to a buffer by a statement that runs.
  struct Touch {
    ir::Id block;
    std::string buffer;  ///< the buffer's name
    bool write = false;
    /// Returns whether `access` has the same TIR block, buffer and direction.
    bool isBy(const Access& access) const;
    friend bool operator==(const Touch&, const Touch&) = default;
  };
  /// A transfer of data between two memory levels by a statement that runs.
  struct Move {
    ir::Id block;
    device::MemoryLevel from = device::MemoryLevel::kGlobal, to = device::MemoryLevel::kL2;
  };

  int node = 0;       ///< the scheduled program that the position belongs to, as an index into the document's history
  double clocks = 0;  ///< clocks since the thread block began
  std::vector<Loop> loops;     ///< loops around the leading statement, outermost first
  std::vector<ir::Id> blocks;  ///< TIR blocks that run, the leading one first; empty if none runs
  std::vector<Touch> touches;  ///< accesses by all of `blocks`, those of the leading one first
  std::vector<Move> moves;     ///< transfers by all of `blocks`
  bool barrier = false;        ///< true if warps wait at a barrier

  /// Returns the entry of a loop, or null if the loop is not around the leading statement.
  const Loop* find(ir::Id loop) const;
  /// Returns whether `blocks` contains the TIR block.
  bool isRunning(ir::Id block) const;
  /// Returns whether the TIR block transfers data from one memory level to the other at this point.
  bool isMoved(ir::Id block, device::MemoryLevel from, device::MemoryLevel to) const;
  /// Returns whether any statement that runs accesses the buffer.
  bool isTouched(const std::string& buffer) const;
  /// Returns the values of those loops around an access that have one value at this point (`runs` is false), by index
  /// in KernelAccesses::loops.
  std::map<int, std::int64_t> standingLoops(const KernelAccesses& kernel, const Access& access) const;
};

}  // namespace loom::model
