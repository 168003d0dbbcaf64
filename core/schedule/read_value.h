// Blocks that make something of each element of a buffer before they use it: a convolution that takes 0 for what lies
// beyond an image, a product with weights that are scaled. TVM's primitives copy the elements as they are. With an
// annotation of the block, cache_read copies what the block makes of them. TVM has no such annotation.
#pragma once
#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

// Annotation of blocks: 1 for the next cache_read of the block, which removes it.
inline constexpr const char* kReadValue = "tileloom.value";

// What a block makes of an element of a buffer, and a copy that holds it. The copy has a dimension for each index of
// the element that depends on iterators in a way of its own: of `if_then_else(1 <= vh + vr, X[vc, vh + vr - 1], 0)`
// these are vc and vh + vr.
struct ReadValue {
  ir::Expr whole;                      // the expression of the block, the largest that depends on these indices alone
  std::vector<ir::DType> casts;        // to which the block casts what is copied, the first one first
  std::vector<ir::Expr> indices;       // by which the block reads the copy
  std::vector<ir::IterVar> iterators;  // of the block that makes the copy, one for each dimension
  ir::Expr value;                      // what it stores, by these iterators
};

// Returns what a block makes of an element of the buffer, which may depend on elements of others; of a condition on
// iterators that aren't in the element's indices in the same way, what is made inside it, so that the copy may read
// what the condition excludes. Returns nothing if the block only casts the element, or reads the buffer at several
// places or at a place that another buffer holds.
std::optional<ReadValue> readValueOf(const ir::BlockNode& block, const ir::Buffer& buffer);

}  // namespace loom::schedule
