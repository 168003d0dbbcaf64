// Operands of machine code (SASS), parsed once so that running the code needs no text.
#pragma once
#include <string_view>
#include <vector>

#include "core/sass/kernel.h"

namespace loom::sass {

// An operand as the text names it, such as a register, not the value that it has in a warp.
struct Operand {
  enum class Kind : std::uint8_t {
    Register,
    Uniform,
    Predicate,
    UniformPredicate,
    Immediate,
    Constant,
    Special,
    Memory
  };
  Kind kind = Kind::Immediate;
  // Number of a register (255: RZ or URZ, always zero), predicate (7: PT or UPT, always true) or constant bank; for
  // `Special` a SpecialRegister.
  int index = 0;
  // Immediate: its value with its sign; 0 if it is no integer ("1.5"). Constant: the byte offset into the bank `index`;
  // -1 if that is no number, as in c[0x0][R4], whose register is lost. Memory: the displacement in bytes. Else 0.
  std::int64_t value = 0;
  double real = 0;      // Immediate: its value with its sign, also if that is an integer
  bool minus = false;   // -R4, -c[0x0][0x160]; never of an immediate
  bool invert = false;  // ~R4, ~c[0x0][0x160], !P0
  // The registers whose values a memory address adds up: those in its last brackets (of desc[UR4][R2.64] only R2).
  std::vector<Operand> parts;
  bool wide = false;  // R4.64: a pair of registers, of which `index` is the lower
  int scale = 1;      // R4.X8: the factor of the register's value; 1, 4, 8 or 16
};

// The special registers that are known. ClusterRank is the rank of the block in its cluster, SharedWindow the upper 32
// bits of generic addresses of shared memory (SR_SWINHI), Zero the one that is always 0 (SRZ), Unknown any other.
enum class SpecialRegister : int {
  TidX,
  TidY,
  TidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  Lane,
  ClusterRank,
  SharedWindow,
  Zero,
  Unknown
};

// Parse a list of operands, "P0, PT, R4, 0x10, PT" (an empty text has none), or a single one. This can't fail: an
// operand that isn't known, as |R4| or an empty text, is of kind Special with the index SpecialRegister::Unknown. What
// follows a register's point is ignored but for `wide` and `scale`.
std::vector<Operand> parseOperands(std::string_view text);
Operand parseOperand(std::string_view text);

}  // namespace loom::sass
