// Products that the four warps of a warpgroup do together: HGMMA of float16, bfloat16 and tf32, QGMMA of 8-bit floats,
// IGMMA of 8-bit integers, BGMMA of single bits. Factors come from shared memory by descriptors in uniform registers;
// the first factor, A, may come from registers instead. A product is done when WARPGROUP.DEPBAR has waited for it.
#pragma once
#include <optional>

#include "core/sass/kernel.h"

namespace loom::sass {

// A product of a matrix of 64 × k and one of k × n elements, added to 64 × n sums, of which each warp has 16 rows:
// "HGMMA.64x128x16.F32 R24, gdesc[UR16], R24" has n = 128 and k = 16.
struct WarpgroupProduct {
  int n = 0, k = 0;
  int factorBits = 16, sumBits = 32;  // bits of an element of the factors, and of the sums
  bool registersOfA = false;          // A is in registers; else both factors are in shared memory
  // Return the number of registers per thread that hold the sums, and that factor A takes; `a` only if `registersOfA`.
  int sums() const { return n * sumBits / 64; }
  int a() const { return k * factorBits / 64; }
  // Returns the FLOP (or integer operations) of one warp, a quarter of the product's.
  double flops() const { return 2.0 * 16 * n * k; }
};

// Returns the product of a warpgroup (wgmma) that an instruction is; nothing for other instructions, and for products
// of sparse matrices.
std::optional<WarpgroupProduct> warpgroupProductOf(const Instruction& instruction);

}  // namespace loom::sass
