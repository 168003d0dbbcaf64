// The cache_read of a block with the annotation kReadValue (read_value.h): the cache holds values that the block
// computes from the buffer's elements, not the elements.
#pragma once
#include "core/schedule/draft.h"
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Puts what a block makes of each element of a buffer that it reads into a new buffer in `storageScope`, lets the block
// read that, and removes the block's annotation kReadValue. What the block makes of an element is the largest
// expression around the read that depends on nothing but the indices of the element (ReadValue::whole): in the example,
// the if_then_else, but not the product. The new buffer has a dimension for each of the indices that depends on
// iterators, as long as the values that the index takes (ReadValue::iterators); a new block fills it before the loops
// of the reading block.
//
//                                                       for ax0, ax1:
//                                                         block X_global(v0, v1):
//   for h, c, r: block Y(vh, vc, vr):               →       X_global[v0, v1] = if_then_else(1 <= v0, X[v0 - 1, v1], 0)
//     … if_then_else(1 <= vh + vr, X[…], 0) * …         for h, c, r: block Y(vh, vc, vr): … X_global[vh + vr, vc] * …
//
// Returns one handle, that of the new block. Errors: "RootBlockError" for a root block; "ValueError" if there is no
// such expression, for instance since the block only casts the element or reads the buffer at several places
// (readValueOf has all cases), or if a block within these loops, the reading one included, writes a buffer that the
// copy reads; "InternalError" if the block has no loop around it, or if one of these loops other than the innermost
// holds more than the next loop.
Result<Handles> cacheValue(Draft& draft, ir::Id block, const ir::Buffer& buffer, const std::string& storageScope);

}  // namespace loom::schedule
