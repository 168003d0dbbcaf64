// What L1 keeps of global memory: the share of the sectors that loads ask for which it has to fetch. Without a cache's
// replacement policy, by reuse distance alone: what is touched again is still there if all that the resident blocks
// touch in between fits.
#pragma once
#include <vector>

#include "core/model/compiled.h"
#include "core/model/count.h"
#include "core/model/device.h"
#include "core/model/occupancy.h"

namespace loom::model {

// By access of a kernel, each from 0 to 1; 0 for what isn't a global load.
struct L1Misses {
  // Of the sectors that the warps ask for: those that L1 has to fetch. What another warp of the block has asked for
  // just before is there or on its way.
  std::vector<double> sectors;
  // Of one thread's loads: those of a sector that this thread hasn't loaded before. It waits for them whoever asked
  // first, as the warps of a block go through its loops together.
  std::vector<double> waits;
};

// A sector is found again across the
// iterations of a loop when what the resident blocks touch in one iteration fits into what shared memory leaves of L1,
// and always across the innermost that moves the address; the share is that of the outermost such loop: sectors touched
// in the whole of it, once, over those asked for. Loops inside it that don't move the address ask once, as compilers
// keep the value. 1 for a load whose reuse nothing can hold and one whose index can't be evaluated.
L1Misses missesOfL1(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                    const Device& device);

// The same of a machine instruction: the mean of the accesses that it may be; 0 for one that is none.
double missShare(const CompiledAccess& access, const std::vector<double>& shares);

}  // namespace loom::model
