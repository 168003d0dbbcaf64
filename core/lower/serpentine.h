// Two nested loops of which the inner one runs alternately forth and back: the annotation `tileloom.order`, which TVM
// keeps without meaning.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// An annotation of blocks, sch.annotate(block, kSerpentine, "serpentine"): of the two unrolled loops right around the
// block, the inner one runs backwards in each odd iteration of the outer one. Products over rows and columns that
// follow each other then always share an operand, which needn't be read from the register file again.
inline constexpr const char* kSerpentine = "tileloom.order";

// Checks the annotation of the blocks in `s`, which must still have iterators. Error "NotAKernel", with the rule and
// the loops, if the value is another one, if a block isn't alone in two unrolled loops of constant extents, and if the
// block is a reduction over one of these loops.
Result<void> checkOrders(const ir::Stmt& s);

// Returns the kernel's body with each such pair of loops as loops that run forwards, of which the outer one does two
// iterations at a time; if it had an odd number of them, a condition stands around the second of the two. A body
// without the annotation stays. `checkOrders` must have succeeded, and this must run after `flatten`, so that each
// access has one index, which stays as short as it was.
//
//     for i in unroll(4):                    for i in unroll(2):
//       for j in unroll(8): S[i * 8 + j] →     for j in unroll(8): S[i * 16 + j]
//                                              for j in unroll(8): S[i * 16 + 15 - j]
device::Stmt serpentineRows(const device::Kernel& kernel);

}  // namespace loom::lower
