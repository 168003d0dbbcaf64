// Vectors of elements that a program indexes itself: T.call_pure_extern("int32", "__dp4a", A[0:4], …).
#pragma once
#include <optional>

#include "core/ir/expr.h"

namespace loom::lower {

// Lane n is base + n · stride; both are scalar.
struct EvenLanes {
  ir::Expr base, stride;
};
// Returns the first lane and the stride of a vector index, such as "vk * 4 + ramp(0, 1, 4)", which parts of matched
// buffers have. Returns nothing if the lanes aren't evenly apart, or aren't seen to be.
std::optional<EvenLanes> evenLanes(const ir::Expr& index);

// Returns whether the elements at the index are what a register of a thread holds, and __dp4a takes: four 8-bit numbers
// side by side. `loaded`: the vector's type.
bool isPacked(ir::DType loaded, const ir::Expr& index);

}  // namespace loom::lower
