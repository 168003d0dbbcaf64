// Checks that what a kernel's machine code does can be counted, as far as its opcodes are known, because a count that
// silently left something out would look like any other.
#pragma once
#include <optional>
#include <string_view>

#include "core/sass/kernel.h"

namespace loom::sass {

// FLOP of a product of 16 × 8 × 16 elements, the unit in which tensor-core work is counted.
inline constexpr double kTensorProduct = 4096;

// The bytes in registers that a warp passes to one tensor-core instruction: for factor A, factor B, and the sums to
// which the product is added. The result has as many bytes as the sums.
struct TensorBytes {
  double a = 0, b = 0, sums = 0;
};
// Returns the bytes of an instruction by its shape and types: HMMA of float16 (".TF32": 32 bits) with float16 or ".F32"
// sums, IMMA of 8 bits (".S4": 4 bits), BMMA of single bits, DMMA; for a product of a warpgroup the bytes that one of
// its warps passes, 0 for factors in shared memory. Returns nothing for other instructions, and for shapes that aren't
// known.
std::optional<TensorBytes> tensorBytes(const Instruction& instruction);

// The extents of a product by the modifier of its opcode.
struct ProductShape {
  std::string_view name;  // m, n and k without a sign between: "16816"
  int m, n, k;
};
// Returns the extents of the product of a warp whose opcode has this modifier, as "16816" of HMMA, "8832" of IMMA; null
// for texts that are no shape of such a product.
const ProductShape* findProductShape(std::string_view modifier);

// Returns the FLOP (or integer operations) of one tensor instruction of a warp, HMMA, IMMA, BMMA or DMMA of any type:
// 2·m·n·k, which its shape says ("HMMA.16816", "IMMA.16832", "DMMA.884"); of a product of a warpgroup, such as
// "HGMMA.64x128x16", a quarter, since four warps issue it. Returns 0 for other instructions, for products of sparse
// matrices, for Volta's "HMMA.884", and for shapes that aren't known.
double tensorFlops(const Instruction& instruction);

// Checks that all work of a kernel can be counted. Error "UnknownInstruction" names the first instruction that moves
// data or multiplies matrices in a way that isn't counted: atomics, and tensor instructions for which `tensorFlops` is
// 0, as of sparse matrices or tensor memory. Other opcodes that the table of opcode.h doesn't have pass the check. What
// the copy engine moves can't be seen in the code, which only has the address of its descriptors; it is counted from
// the program instead.
Result<void> checkCountable(const Kernel& sass);

}  // namespace loom::sass
