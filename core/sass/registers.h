// Which registers an instruction reads and writes, with its operands' widths: what registers alive are found by.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// Offsets of registers; general ones come first.
inline constexpr int kPredicateRegisters = 256, kUniformRegisters = 512, kUniformPredicates = 768;

// The numbers of the general registers that an instruction reads and writes.
struct RegisterUse {
  std::vector<int> reads, writes;
};

// Returns the registers that an instruction reads and writes, by its opcode, operands, pipe and width. RZ and PT don't
// count as registers, and the guard not as read.
RegisterUse registersOf(const Instruction& i);

}  // namespace loom::sass
