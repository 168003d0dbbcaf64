// What stores by the copy engine (TMA) from shared to global memory need around them: waits until the copy engine has
// read a source, before threads write the source again and before the block ends.
#pragma once
#include "core/device/program.h"
#include "core/lower/ring_sizes.h"

namespace loom::lower {

// Gives each buffer that the copy engine stores from as many slots as the TensorIR block that writes it asks for
// (annotation `tileloom.slots`, in `sizes`; one slot without). Only buffers that one sequence of statements in a loop
// writes and then stores, and that nothing else accesses, get several. The iterations of the loops around use the slots
// one after the other, counted over all of these loops; a buffer keeps one slot where conditions may leave out stores
// of some iterations, since waits count what was stored: but for all from some iteration on, or for all of a loop that
// uses each slot equally often. Where a statement writes a slot from which an earlier statement or iteration has
// stored, a wait comes before it, until the copy engine has read what was stored. The last wait, for all stores, comes
// before the thread block ends. A wait is executed by all threads, but along axes of whose threads the first alone
// starts all of the stores. The allocations of such buffers, with or without slots, become as long as the alignment
// that the stores ask of their source, or a multiple of it, so that each version begins at such a multiple:
//
//     for c in 8:                       for c in 8:
//       S = …; store(S); commit    →      wait for all but 1; S[c % 2] = …; store(S[c % 2]); commit
//                                       wait for all
//
// This must run before loops are pipelined, as the first step of `overlapLoops`. Returns the buffers that got several
// slots; empty if none did. A kernel without such stores stays as it is.
Buffers awaitStores(device::Kernel& kernel, const RingSizes& sizes);

// Returns whether the statement, or one inside, starts a copy by the copy engine, or commits or awaits stores by it;
// false for null.
bool isOfCopyEngine(const device::Stmt& s);

}  // namespace loom::lower
