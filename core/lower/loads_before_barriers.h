// Copies from global to shared memory, through registers, whose loads come before the barrier that the copy stands
// behind.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Divides copies that stand directly behind a barrier of the block in the body of a serial loop: their loads go to
// registers before that barrier, which is there for the memory that the stores write, and are kept there
// (StoreNode::loadsHere).
//
//     barrier; S[t] = G[k, t]; barrier; …   →   R = G[k, t]; barrier; S[t] = R; barrier; …
//
// That is done to all copies up to the next barrier or the end of the loop's body together, where each of them can be
// divided (dividedCopy, early_loads.h), they load vectors of 4 bytes or more, from memory that the kernel doesn't
// write, they are as many and as short as is worth it, and a thread has registers for what they load (hasRegistersFor,
// resident_blocks.h) while as many blocks are resident as else, but for a few bytes. Other copies stay.
void loadBeforeBarriers(device::Kernel& kernel);

}  // namespace loom::lower
