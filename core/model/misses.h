// The share of the requested sectors of global memory that L1 doesn't have and must fetch. The model knows no
// replacement policy of the cache, but goes by reuse distance: data that is accessed again is still in L1 if all data
// that the resident blocks access in between fits into L1.
#pragma once
#include <vector>

#include "core/model/compiled.h"
#include "core/model/count.h"
#include "core/model/device.h"
#include "core/model/occupancy.h"

namespace loom::model {

// The shares of global loads that miss L1, one for each of KernelAccesses::accesses, from 0 to 1; 0 for other accesses.
struct L1Misses {
  // The share of the requested sectors that L1 must fetch. A sector that another warp of the block has just requested
  // counts as a hit.
  std::vector<double> sectors;
  // The share of a thread's loads whose sector the thread has not loaded before. The thread waits for these even if
  // another warp has requested the sector, since the warps of a block go through its loops together.
  std::vector<double> waits;
};

// Returns the bytes of L1 that shared memory leaves to data of a multiprocessor with `resident` blocks of the kernel;
// negative if they need more shared memory than there is. A device whose shared memory isn't known counts as one with
// 128 KiB.
double capacityOfL1(const Occupancy& occupancy, double resident, const Device& device);

// Returns the shares of misses of all accesses of a kernel. `kernel` lists its accesses and loops, and `count` has the
// requests and sectors of each access. A sector is taken to stay in L1 across the iterations of a loop if the data that
// the resident blocks access in one iteration fits into the part of L1 that isn't shared memory, and always across the
// innermost loop that changes the address. The share is counted over the outermost such loop: `sectors` is the number
// of different sectors that a block accesses in all of the loop, divided by those that its warps request there; `waits`
// is that of one thread, divided by its loads. Loops inside the innermost one that changes the address count as one
// iteration, since compilers keep the value; so does everything if no loop changes it. The share is 1 if the index
// can't be evaluated. All arguments but `device` must be of one kernel.
L1Misses missesOfL1(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                    const Device& device);

// Returns the share of misses of a machine instruction: the mean of `shares` (L1Misses::sectors or L1Misses::waits)
// over the accesses that the instruction may belong to; 0 if it belongs to none.
double missShare(const CompiledAccess& access, const std::vector<double>& shares);

}  // namespace loom::model
