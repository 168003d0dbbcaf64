// Whether all that a kernel's machine code does can be counted. What can't is said: a count that leaves some of it out
// would look like any other.
#pragma once
#include <optional>

#include "core/sass/kernel.h"

namespace loom::sass {

// FLOP of a product of m16n8k16, in which tensor work is counted.
inline constexpr double kTensorProduct = 4096;

// Bytes of registers that a warp hands to one tensor instruction, and gets from it as many as the summand has, by its
// shape and types: HMMA of float16 (".TF32": 32 bits) with float16 or ".F32" sums, IMMA of 8 bits (".S4": 4), DMMA.
// Nothing for what is no tensor instruction, and for shapes that aren't known.
struct TensorBytes {
  double a = 0, b = 0, sums = 0;
};
std::optional<TensorBytes> tensorBytes(const Instruction& instruction);

// FLOP (or integer operations) of one tensor instruction, of all lanes: 2·m·n·k of "HMMA.16816", "HMMA.1688"
// (Turing's), "IMMA.16832". 0 for what is no tensor instruction, and for shapes that aren't known.
double tensorFlops(const Instruction& instruction);

// Error "UnknownInstruction" naming the first instruction that moves data or multiplies matrices in a way that isn't
// counted: copies past registers (LDGSTS), atomics, tensor instructions of another shape or of warp groups.
Result<void> understood(const SassKernel& sass);

}  // namespace loom::sass
