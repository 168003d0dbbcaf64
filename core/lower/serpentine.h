// Rows that go forth and back: `tileloom.order`, which TVM keeps as an annotation without meaning.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Of blocks, by sch.annotate(block, kSerpentine, "serpentine"): of the two unrolled loops right around the block, each
// odd iteration of the outer one goes through the inner one backwards, so that two statements that follow each other
// always share an operand, which the register file then needn't deliver again.
inline constexpr const char* kSerpentine = "tileloom.order";

// Checks what blocks ask for; `s` still has its blocks' iterators. Error "NotAKernel", with the rule and the loops, for
// another value, for a block that isn't alone in two unrolled loops of constant extents, and for loops over which the
// block sums.
Result<void> checkOrders(const ir::Stmt& s);

// Returns the kernel's body with these loops as ordinary ones, two iterations of the outer loop in one. Accesses are by
// the number of the element, so that what stands there is as short as it was.
//
//     for i in unroll(4):                    for i in unroll(2):
//       for j in unroll(8): S[i * 8 + j] →     for j in unroll(8): S[i * 16 + j]
//                                              for j in unroll(8): S[i * 16 + 15 - j]
device::Stmt serpentineRows(const device::Kernel& kernel);

}  // namespace loom::lower
