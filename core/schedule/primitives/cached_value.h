// cache_read of a block that asks for what it makes of each element of a buffer (read_value.h).
#pragma once
#include "core/schedule/draft.h"
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Copies what a block makes of each element of a buffer that it reads, and removes the block's annotation kReadValue:
//
//                                                       for ax0, ax1:
//                                                         block X_global(v0, v1):
//   for h, c, r: block Y(vh, vc, vr):               →       X_global[v0, v1] = if_then_else(1 <= v0, X[v0 - 1, v1], 0)
//     … if_then_else(1 <= vh + vr, X[…], 0) * …         for h, c, r: block Y(vh, vc, vr): … X_global[vh + vr, vc] * …
//
// Returns the handle of the block that makes the copy. Errors: "RootBlockError" for a root block; "ValueError" where
// readValueOf returns nothing; "InternalError" if the loops around the block hold something else, too.
Result<Handles> cacheValue(Draft& draft, ir::Id block, const ir::Buffer& buffer, const std::string& storageScope);

}  // namespace loom::schedule
