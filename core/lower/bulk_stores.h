// What stores by the copy engine (TMA) from shared to global memory need around them: waits until the copy engine has
// read a source, before threads write the source again and before the block ends.
#pragma once
#include "core/device/program.h"
#include "core/lower/ring_sizes.h"

namespace loom::lower {

// Gives each buffer that the copy engine stores from as many slots as its block asks for (annotation `tileloom.slots`,
// in `sizes`; one slot without). The iterations of the loops around use the slots one after the other. Before threads
// write a slot, they wait until the copy engine has read what was stored from it before:
//
//     for c in 8:                       for c in 8:
//       S = …; store(S); commit    →      wait for all but 1; S[c % 2] = …; store(S[c % 2]); commit
//                                       wait for all
//
// This must run before loops are pipelined. Returns the buffers that got several slots.
Buffers awaitStores(device::Kernel& kernel, const RingSizes& sizes);

// Returns whether the statement, or one inside, starts a copy by the copy engine, or commits or awaits stores by it.
bool isOfCopyEngine(const device::Stmt& s);

}  // namespace loom::lower
