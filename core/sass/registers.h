// Which registers an instruction reads and writes, with its operands' widths: what registers alive are found by.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// Offsets of registers; general ones come first.
inline constexpr int kPredicateRegisters = 256, kUniformRegisters = 512, kUniformPredicates = 768;

struct RegisterUse {
  std::vector<int> reads, writes;
};

// By opcode, operands, pipe and width. RZ and PT aren't registers; the guard isn't among what is read.
RegisterUse registersOf(const Instruction& i);

}  // namespace loom::sass
