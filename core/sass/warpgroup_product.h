// Products that the four warps of a warpgroup do together: HGMMA of float16, bfloat16 and tf32, QGMMA of 8-bit floats,
// IGMMA of 8-bit integers, BGMMA of single bits. Factors come from shared memory by descriptors in uniform registers,
// A also from registers; they are done when WARPGROUP.DEPBAR has waited for them.
#pragma once
#include <optional>

#include "core/sass/kernel.h"

namespace loom::sass {

// "HGMMA.64x128x16.F32 R24, gdesc[UR16], R24": 64 × n += 64 × k · k × n, of which each warp has 16 rows.
struct WarpgroupProduct {
  int n = 0, k = 0;
  int factorBits = 16, sumBits = 32;  // of an element
  bool registersOfA = false;          // A is in registers; else both factors are in shared memory
  // Registers of a thread.
  int sums() const { return n * sumBits / 64; }
  int a() const { return k * factorBits / 64; }
  double flops() const { return 2.0 * 16 * n * k; }  // of one warp: a quarter of the product's
};

// Returns the product of a warpgroup (wgmma) that an instruction is; nothing for other instructions, and for products
// of sparse matrices.
std::optional<WarpgroupProduct> warpgroupProductOf(const Instruction& instruction);

}  // namespace loom::sass
