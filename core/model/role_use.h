// What a multiprocessor's agents do while blocks with roles run on it.
#pragma once

namespace loom::model {

// Clocks that each was busy, and that groups of warps waited.
struct RoleUse {
  double copy = 0, tensor = 0, shared = 0, l2 = 0;
  double forBarriers = 0;  // for boxes to land, or for slots to be free
  double forProducts = 0;
};
// The result of a run.
struct RoleRun {
  double clocks = 0;        // from the first block's begin to the last one's end
  double firstProduct = 0;  // when the first product begins
  double lastProduct = 0;   // when the last one that was played has ended
  RoleUse use;
};

}  // namespace loom::model
