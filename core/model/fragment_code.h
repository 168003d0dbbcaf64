// wmma's fragments, whose layout PTX leaves open, as machine code has them: a kernel that does nothing but load a tile
// into a fragment and write each register out (and the other way round), compiled for an architecture and followed byte
// by byte. What `tileloom probe` sees on a device must be the same.
#pragma once
#include <compare>
#include <string>
#include <vector>

#include "core/layout/fragment.h"
#include "core/model/access.h"
#include "core/sass/kernel.h"

namespace loom::model {

// A fragment of an M × N × K product.
struct FragmentKind {
  layout::Operand operand = layout::Operand::A;
  int m = 16, n = 16, k = 16;
  ir::DType element = ir::DType::Float(16);
  bool rowMajor = true;  // of the memory that A and B are loaded from; accumulators have no such thing
  // Of the operation's row: the layout that the vendor gives. Null where it is left open, and a probe can find it.
  decltype(device::OperandRow::held) held = nullptr;

  // Of the tile: A is m × k, B k × n, an accumulator m × n.
  int rows() const { return operand == layout::Operand::B ? k : m; }
  int columns() const { return operand == layout::Operand::A ? k : n; }
  // "matrix_a of m16n16k16, float16, row_major"
  std::string name() const;
  // Of the kernels that probe it: "matrix_a_16x16x16_float16_row".
  std::string kernelName() const;
  friend bool operator==(const FragmentKind&, const FragmentKind&) = default;
};

// Of the tile that a statement loads, fills, multiplies or stores. Error "UnknownFragment" where the access has none.
Result<FragmentKind> fragmentKindOf(const device::Kernel& kernel, const Access& access);

// CUDA C++ of the kernels that probe a fragment: `kernelName()` loads it, and that of an accumulator with "_stored"
// appended stores it. Error "UnknownFragment" for elements of less than a byte, or of 8: wmma has none, or other ones;
// and for fragments whose layout isn't open.
Result<std::string> fragmentProbeText(const std::vector<FragmentKind>& kinds);

// (lane:32, register[, half:2 | byte:4]) → (row, column); the third input numbers the elements of a register, lowest
// bits first. `elements` are those of the tile, row by row, that lane 0 holds in its registers, then lane 1. What a
// lane holds twice is given once. Errors: those of layout::fitDigits.
Result<layout::Layout> fragmentOfElements(const std::vector<int>& elements, const FragmentKind& kind);
// The same from the machine code of that text. Errors also: "SassUnknown" where the code can't be followed or doesn't
// hold the kernels, and where loading and storing an accumulator disagree.
Result<layout::Layout> fragmentOfCode(const std::vector<sass::Kernel>& kernels, const FragmentKind& kind);

}  // namespace loom::model
