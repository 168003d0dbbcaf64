// Operands of machine code, read once so that running it needs no text.
#pragma once
#include <string_view>
#include <vector>

#include "core/sass/kernel.h"

namespace loom::sass {

// An operand as the text names it, without its value.
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
  int index = 0;  // of a register (255: always zero), predicate (7: always true) or constant bank; `Special`: see below
  std::int64_t value = 0;      // immediate; byte offset into the constant bank `index`, or -1; displacement
  double real = 0;             // an immediate with a point
  bool minus = false;          // -R4
  bool invert = false;         // ~R4, !P0
  std::vector<Operand> parts;  // of a memory address: what is added; of a 64-bit register: the lower one, `wide`
  bool wide = false;           // R4.64
  int scale = 1;               // R4.X8
};

// The number of the block in its cluster, and the upper word of addresses of shared memory that any block of the
// cluster may name.
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

// Reads a list of operands, "P0, PT, R4, 0x10, PT", or a single one. Reading can't fail: an operand that isn't known is
// a Special of the number `Unknown`.
std::vector<Operand> parseOperands(std::string_view text);
Operand parseOperand(std::string_view text);

}  // namespace loom::sass
