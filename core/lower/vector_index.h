// Loads of whole vectors that the program itself writes, as in T.call_pure_extern("int32", "__dp4a", A[0:4], …), not
// those that vectorized loops become.
#pragma once
#include <optional>

#include "core/ir/expr.h"

namespace loom::lower {

// A vector index of which lane n is base + n · stride; both are scalar.
struct EvenLanes {
  ir::Expr base, stride;
};
// Returns the first lane and the stride of a vector index (stride 0 for a scalar index), such as "vk * 4 + ramp(0, 1,
// 4)", which parts of matched buffers have. Returns nothing if the lanes aren't evenly apart, or aren't seen to be.
std::optional<EvenLanes> evenLanes(const ir::Expr& index);

// Returns whether the load is of four 8-bit numbers side by side, which __dp4a takes in one register: whether `loaded`,
// the type of the loaded vector, has four lanes of 8 bits, and `index`, the flat or the last one, is a ramp with stride
// 1. Whether the first of them is at a multiple of 4 bytes isn't checked.
bool isPacked(ir::DType loaded, const ir::Expr& index);

}  // namespace loom::lower
