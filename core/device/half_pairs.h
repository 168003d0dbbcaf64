// Vectors of float16 or bfloat16 whose lanes are computed two at a time, as CUDA's half2 and __nv_bfloat162. A compiler
// that is given such lanes one by one has to find the pairs itself, and moves halves of registers about where it misses
// some: of a product that sums 4 × 4 float16 in each thread, the main loop has 229 instructions instead of 345, and a
// thread 40 registers instead of 50 (NVRTC 13.0, sm_90a).
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "core/device/program.h"

namespace loom::device {

// The name of the call that is a vector of scalars.
inline constexpr std::string_view kGathered = "tileloom.gathered";
// Returns the call of kGathered whose lanes are the `elements`: one scalar or more, all of one dtype. None of them
// depends on a lane.
Expr gathered(std::vector<Expr> elements);
// Returns `e` as a call of kGathered; null for any other expression.
const ir::CallNode* asGathered(const Expr& e);

// Returns whether CUDA has the operation on two float16 or bfloat16 at once, with the bits that it has for each alone.
bool isOfHalfPairs(const ir::BinaryNode& n);
// Returns whether the value is at least one such operation on operands that are such operations too, or for which
// `isOperand` returns true.
bool isHalfArithmetic(const Expr& value, const std::function<bool(const Expr&)>& isOperand);

}  // namespace loom::device
