#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/device/memory_level.h"
#include "core/model/timeline.h"

namespace loom::model {

/// A point in the life of a block: the statements that run at that time, the values of the loops around them, and what
/// the statements access. Panels find their own loops in it by variable or id, blocks by id, and accesses by block,
/// buffer and direction.
struct TimelinePosition {
  struct Loop {
    ir::Var var;
    ir::Id id;
    std::int64_t value = 0, extent = 1;
    bool runs = false;  ///< true if the loop takes all its values at this point; other loops stand at `value`
  };
  struct Touch {
    ir::Id block;
    std::string buffer;
    bool write = false;
    bool isBy(const Access& access) const;
    friend bool operator==(const Touch&, const Touch&) = default;
  };
  struct Move {
    ir::Id block;
    device::MemoryLevel from = device::MemoryLevel::kGlobal, to = device::MemoryLevel::kL2;
  };

  int node = 0;                ///< state of the history that the position belongs to
  double clocks = 0;           ///< since the block began
  std::vector<Loop> loops;     ///< around the leading statement, outermost first
  std::vector<ir::Id> blocks;  ///< that run; first the leading one, which occupies the busiest pipe
  std::vector<Touch> touches;  ///< by all of `blocks`, those of the leading one first
  std::vector<Move> moves;     ///< between levels of memory
  bool barrier = false;        ///< true if warps wait at a barrier

  /// Returns the entry of a loop, or null if the loop is not around the leading statement.
  const Loop* find(ir::Id loop) const;
  bool isRunning(ir::Id block) const;
  bool isMoved(ir::Id block, device::MemoryLevel from, device::MemoryLevel to) const;
  /// Returns whether any statement that runs accesses the buffer.
  bool isTouched(const std::string& buffer) const;
  /// Returns the values of those loops of an access that stand still, by index in `KernelAccesses::loops`.
  std::map<int, std::int64_t> standingLoops(const KernelAccesses& kernel, const Access& access) const;
};

}  // namespace loom::model
