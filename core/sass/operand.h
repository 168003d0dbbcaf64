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
  // Number of a register (255: always zero), predicate (7: always true) or constant bank; for `Special` a
  // SpecialRegister.
  int index = 0;
  // The value of an immediate; the byte offset into the constant bank `index`, -1 if it isn't a constant; the
  // displacement of a memory address, in bytes.
  std::int64_t value = 0;
  double real = 0;      // value of an immediate; of one with a decimal point only this has it
  bool minus = false;   // -R4
  bool invert = false;  // ~R4, !P0
  // The registers whose values a memory address adds up; a pair of registers is its lower register, with `wide`.
  std::vector<Operand> parts;
  bool wide = false;  // R4.64
  int scale = 1;      // R4.X8
};

// The special registers that are known. ClusterRank is the rank of the block in its cluster, SharedWindow the upper 32
// bits of generic addresses of shared memory (SR_SWINHI), Zero one that is always 0, Unknown any other.
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

// Parse a list of operands, "P0, PT, R4, 0x10, PT", or a single one. This can't fail: an operand that isn't known is of
// kind Special with the index SpecialRegister::Unknown.
std::vector<Operand> parseOperands(std::string_view text);
Operand parseOperand(std::string_view text);

}  // namespace loom::sass
