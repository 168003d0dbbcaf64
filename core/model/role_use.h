// What a simulated run of one multiprocessor (runRoles, role_run.h) tells of kernels whose warps have roles: some load
// tiles by the copy engine, others multiply.
#pragma once

namespace loom::model {

// How long the parts of the multiprocessor were busy, and how long its warps waited, in clocks of the multiprocessor,
// summed over all blocks that it runs.
struct RoleUse {
  double copy = 0;    // the copy engine was bringing tiles from L2
  double tensor = 0;  // tensor cores were multiplying
  double shared = 0;  // shared memory was read or written by tensor cores and the copy engine
  double l2 = 0;      // results were being written to L2
  // Waits of all warpgroups (128 threads), added up: at mbarriers, for tiles to land or for their memory to be
  // free again, and for products that the warpgroup has started.
  double forBarriers = 0, forProducts = 0;
};
// The result of a run, in clocks of the multiprocessor from its begin. Only the first blocks are simulated one by one;
// the others are taken to be like them.
struct RoleRun {
  double clocks = 0;        // when the last of all blocks has ended
  double firstProduct = 0;  // when the first product begins; 0 if none does
  double lastProduct = 0;   // when the last product of the simulated blocks has ended; 0 if there was none
  RoleUse use;
};

}  // namespace loom::model
