// Finds out the layout of wmma's fragments, which PTX leaves open, from machine code: a probe kernel that loads a tile
// into a fragment and writes each register to memory (or the other way round) is compiled for an architecture, and the
// bytes are followed through its instructions. The kernel isn't run. `tileloom probe` finds out the same layout by
// running it on a device.
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
  bool rowMajor = true;  // whether A or B is loaded from row-major memory; true for accumulators
  // Points to the function held(operand, element) that returns the layout that the vendor documents for the fragment:
  // (lane, register[, half | byte]) → (row, column). Null if the vendor leaves the layout open, so that a probe has to
  // find it out.
  decltype(device::OperandRow::held) held = nullptr;

  // Return the extents of the tile: A is m × k, B is k × n, an accumulator is m × n.
  int rows() const { return operand == layout::Operand::B ? k : m; }
  int columns() const { return operand == layout::Operand::A ? k : n; }
  // Returns a name for people: "matrix_a of m16n16k16, float16, row_major".
  std::string name() const;
  // Returns the name of the kernel that probes the fragment: "matrix_a_16x16x16_float16_row".
  std::string kernelName() const;
  friend bool operator==(const FragmentKind&, const FragmentKind&) = default;
};

// Returns the kind, with `held`, of the tile that a statement loads, fills, multiplies or stores. Error
// "UnknownFragment" if the access has no tile.
Result<FragmentKind> fragmentKindOf(const device::Kernel& kernel, const Access& access);

// Returns the CUDA C++ text of the kernels that probe fragments: `kernelName()` loads one; for an accumulator a kernel
// of that name with "_stored" appended stores it. Error "UnknownFragment" for elements that don't have 8, 16
// or 32 bits, and for fragments whose layout is documented. The kinds must differ from each other.
Result<std::string> fragmentProbeText(const std::vector<FragmentKind>& kinds);

// Returns the layout (lane:32, register[, half:2 | byte:4]) → (row, column); the third input numbers the elements of a
// register, lowest bits first. `elements` are the numbers, in row-major order of the tile, of the elements that lane 0
// holds in its registers, then those of lane 1, and so on. If in every lane the second half of the registers repeats
// the first half, the layout has only the first half's registers. The elements have 8, 16 or 32 bits, and each of the
// 32 lanes has equally many, in whole registers. Error "LayoutError" if no layout in which each bit of an input adds a
// fixed amount to row and column describes the numbers.
Result<layout::Layout> fragmentOfElements(const std::vector<int>& elements, const FragmentKind& kind);
// Returns the layout that `fragmentOfElements` describes, found in `kernels`, the machine code of `fragmentProbeText`;
// it holds for the architecture that they were compiled for.
// Errors: "LayoutError" as for `fragmentOfElements`; "SassUnknown" if the code can't be followed or lacks the kernels,
// or if loading and storing an accumulator disagree.
Result<layout::Layout> fragmentOfCode(const std::vector<sass::Kernel>& kernels, const FragmentKind& kind);

}  // namespace loom::model
