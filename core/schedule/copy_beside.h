// Copies that stand beside the loops of one block, which then reads or writes a new buffer: what the primitive reindex
// and cache_read, where it copies what a block makes of elements (read_value.h), share.
#pragma once
#include "core/schedule/cache_stage.h"
#include "core/schedule/instructions.h"

namespace loom::schedule {

// Sets `stage.location` and `stage.position` so that the copy stands before the loops around the block, or `behind`
// them, in the block `scope`, which encloses them. Error "InternalError" if there is no loop between `scope` and the
// block, or if one of these loops other than the innermost holds more than the next loop; the error's `forbids` is the
// argument (Forbids::Tvm where TVM refuses the same, else Forbids::Program). What the innermost loop holds beside the
// block isn't checked, as in TVM's reindex: who must not copy what is written there checks it.
Result<void> locateBeside(const Program& p, Id scope, Id block, bool behind, Forbids forbids, CacheStage& stage);

// Changes the block `scope`: puts `stage.nest` where `locateBeside` has located it, replaces the block that has the id
// of `block` by `block`, and allocates the buffer `made`, the new one of `stage.from` and `stage.to`. All members of
// `stage` but `region`, `isFull` and `consumers` must be set. Returns one handle, that of `stage.block`. Error
// "InternalError", after which the draft must not be used: the scope has no such position, or a view (match_buffer)
// would have another storage scope than its buffer.
Result<Handles> copyBeside(Draft& draft, Id scope, const ir::Block& block, const ir::Buffer& made,
                           const CacheStage& stage);

}  // namespace loom::schedule
