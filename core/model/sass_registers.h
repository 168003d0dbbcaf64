// Which registers an instruction reads and writes, with its operands' widths: what a liveness analysis and a wait for
// results need to know.
#pragma once
#include "core/model/sass.h"

namespace loom::model {

// Offsets into Instruction::reads and writes; general registers come first.
inline constexpr int kPredicateRegisters = 256, kUniformRegisters = 512, kUniformPredicates = 768;

// Fills `reads` and `writes` from opcode, operands, pipe and width. RZ and PT aren't registers; the guard isn't among
// them.
void readRegisters(Instruction& i);

}  // namespace loom::model
