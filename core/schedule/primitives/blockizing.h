// Wrapping a part of the program as one block: what blockize and tensorize have in common. With `preserveUnitIters`,
// iterators of extent 1 stay iterators of the blocks; else they are replaced by their only value. Ids must be those of
// loops and blocks of the draft's program. After an error the draft is of no further use.
#pragma once
#include "core/schedule/analysis.h"
#include "core/schedule/draft.h"

namespace loom::schedule {

// Returns the only block below the loop, divided at the loop: a new block whose iterators run over the loops above,
// around the loop and everything in it. The caller puts it in the loop's place; `draft`, the program that the primitive
// is rewriting, only gives ids and remembers origins. Errors: "NonSingleChildBlockError"; "SubspaceNotDivisibleError"
// if the iterators don't separate into outer and inner loops.
Result<ir::BlockRealize> blockized(Draft& draft, Id loop, bool preserveUnitIters);

// Several blocks, each with the loops around it alone, as the body of one new block.
struct BlockizedGroup {
  ir::BlockRealize block;  // the new block
  Id scope;                // the lowest loop or block that contains all of the blocks
  ir::Stmt replacement;    // what replaces `scope`: the same loop or block, with the new block in it
};
// Returns the group of the given blocks; nothing is replaced yet. Errors: "TypeError" for an empty list;
// "SubspaceNotDivisibleError" if the iterators of a block don't separate into outer and inner loops; "IndexError", as
// in TVM, for a block with more iterators than the first; "InternalError", as in TVM, for blocks whose outer iterators
// differ, for a single block, for blocks that are named twice, are nested, are not children of one block (TVM's scope)
// or are not consecutive, and where a block has an init and an outer loop is a reduction.
Result<BlockizedGroup> blockizedGroup(Draft& draft, const std::vector<Id>& blocks, bool preserveUnitIters);

}  // namespace loom::schedule
