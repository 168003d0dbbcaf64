// Which registers an instruction reads and writes, all registers of wide operands included. The analysis of live
// registers (liveness.h) uses this.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The numbers of predicate n, uniform register n and uniform predicate n are these offsets + n; general register n has
// n.
inline constexpr int kPredicateRegisters = 256, kUniformRegisters = 512, kUniformPredicates = 768;

// The numbers of the registers that an instruction reads and writes.
struct RegisterUse {
  std::vector<int> reads, writes;
};

// Returns the registers that an instruction reads and writes, by its opcode, operands, pipe and width, in the order of
// the operands; a register may occur twice. RZ, PT, URZ and UPT don't count as registers, and the guard's predicate
// isn't among the reads. What is written under a guard is among the writes.
RegisterUse registersOf(const Instruction& i);

}  // namespace loom::sass
