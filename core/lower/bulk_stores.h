// What stores of the copy engine (TMA) need around them: waits until it has read their sources, before these are
// written again and before the block ends.
#pragma once
#include "core/device/program.h"
#include "core/lower/ring_sizes.h"

namespace loom::lower {

// Gives each buffer that the copy engine stores from as many slots as its block asks for (`kSlots`; one without), which
// the iterations of the loops around take in turns, and lets threads wait before they write a slot until what they have
// stored from it has been read:
//
//     for c in 8: { S = …; store(S); commit }   →   for c in 8: { wait, all but 1; S[c % 2] = …; store(S[c % 2]);
//     commit }
//                                                   wait for all
//
// Works before pipelines are made. Returns the buffers that got several slots.
Buffers awaitStores(device::Kernel& kernel, const RingSizes& sizes);

// Returns whether the statement, or one inside, asks the copy engine for a box, or is about stores of it.
bool isOfCopyEngine(const device::Stmt& s);

}  // namespace loom::lower
