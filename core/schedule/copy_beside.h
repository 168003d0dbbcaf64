// Copies that stand beside the loops of one block, which then reads or writes a new buffer: what the primitives reindex
// and cache_read of made values (read_value.h) share.
#pragma once
#include "core/schedule/cache_stage.h"
#include "core/schedule/instructions.h"

namespace loom::schedule {

// Sets `stage.location` and `stage.position` so that the copy stands before the loops around the block, or `behind`
// them, in the block `scope`, which encloses them. Error "InternalError", of the kind `forbids`, if there is no loop
// between `scope` and the block, or if one of these loops other than the innermost holds more than the next loop. What
// else the innermost loop holds isn't checked, as in TVM's reindex: who must not copy what is written there checks it.
Result<void> locateBeside(const Program& p, Id scope, Id block, bool behind, Forbids forbids, CacheStage& stage);

// Puts the copy of `stage` into the block `scope`, where `block` takes the place of the block with its id, and
// allocates the buffer `made` there. Returns the handle of the copy. Errors are those of `insertCopy` and `finishCopy`.
Result<Handles> copyBeside(Draft& draft, Id scope, const ir::Block& block, const ir::Buffer& made,
                           const CacheStage& stage);

}  // namespace loom::schedule
