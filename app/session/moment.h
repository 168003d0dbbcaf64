#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/panels/memory/view/memory.h"
#include "core/model/timeline.h"

namespace loom::workbench {

/// A point in the life of a block, which Playback shows and other panels follow: which statements run, at which values
/// of the loops around them, and what they touch. A panel that follows asks `Workbench::moment()` and looks for its own
/// loops by variable or id, its blocks by id, its accesses by block, buffer and direction.
struct TimelinePosition {
  struct Loop {
    ir::Var var;
    ir::Id id;
    std::int64_t value = 0, extent = 1;
    bool runs = false;  ///< goes through its values while the statement is shown; the others stand still
  };
  struct Touch {
    ir::Id block;
    std::string buffer;
    bool write = false;
    bool isBy(const model::Access& access) const;
    friend bool operator==(const Touch&, const Touch&) = default;
  };
  struct Move {
    ir::Id block;
    MemoryLevel from = MemoryLevel::kGlobal, to = MemoryLevel::kL2;
  };

  int node = 0;
  double clocks = 0;           ///< since the block began
  std::vector<Loop> loops;     ///< around the leading statement, outermost first
  std::vector<ir::Id> blocks;  ///< that run; the leading one, which keeps the busiest pipe, first
  std::vector<Touch> touches;  ///< of all of them, the leading one's first
  std::vector<Move> moves;     ///< between levels of memory
  bool barrier = false;        ///< warps wait for each other

  const Loop* find(ir::Id loop) const;
  bool isRunning(ir::Id block) const;
  bool isMoved(ir::Id block, MemoryLevel from, MemoryLevel to) const;
  /// Does anything touch the buffer?
  bool isTouched(const std::string& buffer) const;
  /// The values of an access's loops that stand still, by index in KernelAccesses::loops.
  std::map<int, std::int64_t> standingLoops(const model::KernelAccesses& kernel, const model::Access& access) const;
};

}  // namespace loom::workbench
