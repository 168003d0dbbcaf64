// Blocks that make something of each element of a buffer before they use it: a convolution that takes 0 for what lies
// beyond an image, a product with weights that are scaled. TVM's cache_read copies the elements as they are. With the
// annotation kReadValue of the block, which TVM doesn't have, ours copies what the block makes of them.
#pragma once
#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

// Annotation of blocks: 1 for the next cache_read of the block, which removes it.
inline constexpr const char* kReadValue = "tileloom.value";

// What a block makes of an element of a buffer, and a copy that holds it. The copy has a dimension for each index of
// the element that depends on iterators: for `if_then_else(1 <= vh + vr, X[vc, vh + vr - 1], 0)` one for vc, and one
// for vh + vr. Along each dimension the copy begins at 0: constants in the index are left out, coefficients divided by
// their common divisor, and negative ones shifted.
struct ReadValue {
  ir::Expr whole;                 // the largest expression of the block that depends on these indices alone; it is
                                  // replaced by an element of the copy with `casts`
  std::vector<ir::DType> casts;   // the widening casts, innermost first, that make `whole` of an element of the copy
  std::vector<ir::Expr> indices;  // the element of the copy that the block reads, in terms of the block's iterators
  std::vector<ir::IterVar> iterators;  // of the block that makes the copy, one for each dimension, from 0 on
  ir::Expr value;                      // what that block stores, in terms of `iterators`: `whole` without `casts`
};

// Returns what a block makes of an element of the buffer; elements of other buffers may be part of it. A condition that
// depends on iterators in another way than the element's indices isn't part of it: what stands inside the condition is
// copied, so that the copy may read elements that the condition excludes. Returns nothing if the block only casts the
// element, makes different things of it, reads the buffer at several places or at one that another buffer's element
// gives, or if no copy can have such dimensions: all indices are constant, two depend on the same iterator, or one
// skips values.
std::optional<ReadValue> readValueOf(const ir::BlockNode& block, const ir::Buffer& buffer);

}  // namespace loom::schedule
