// Wrapping a part of the program as one block: what blockize and tensorize have in common.
#pragma once
#include "core/schedule/analysis.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns the only block below the loop, divided at the loop: a new block whose iterators run over the loops above,
// around the loop and everything in it. Nothing is replaced yet; `draft` gives ids and remembers origins. Errors:
// "NonSingleChildBlockError"; "SubspaceNotDivisibleError" if the iterators don't separate into outer and inner loops.
Result<ir::BlockRealize> blockized(Draft& draft, Id loop, bool preserveUnitIters);

// Consecutive blocks (with the loops that only they have) as the body of one block.
//   TypeError for none; SubspaceNotDivisibleError; InternalError where TVM has one: blocks that are not consecutive,
//   or an init together with an outer reduction.
struct BlockizedGroup {
  ir::BlockRealize block;
  Id scope;              // the lowest common loop or block
  ir::Stmt replacement;  // what stands in its place
};
Result<BlockizedGroup> blockizedGroup(Draft& draft, const std::vector<Id>& blocks, bool preserveUnitIters);

}  // namespace loom::schedule
