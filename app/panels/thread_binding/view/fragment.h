#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/fragment_code.h"
#include "core/sass/kernel.h"

namespace loom::session {

/// A fragment layout of the PTX ISA that the panel can show instead of the layout that a statement itself has.
struct PtxFragment {
  const char* id;           ///< identifier that never changes between versions
  const char* instruction;  ///< "ldmatrix.x4.trans"
  const char* part;         ///< which of its operands: "A", "C, D in f32"; empty: the instruction has only one
  const char* section;      ///< title of the section of the PTX ISA that defines the layout
  const char* opcode;       ///< the SASS opcode that NVRTC 13.0 compiles the instruction to, for sm_80 and sm_90
  bool exact;               ///< whether `opcode` is the whole opcode; otherwise only its beginning
  layout::Operand operand = layout::Operand::A;  ///< the operand of mma; without meaning for ldmatrix
  bool halves = false;                           ///< whether it is mma's accumulator of 16-bit elements
  int matrices = 0;                              ///< number of matrices that ldmatrix loads; 0: the instruction is mma
  bool transposed = false;                       ///< whether ldmatrix transposes them (.trans)

  /// Returns the name that the panel shows: "mma.m16n8k16: A".
  std::string name() const;
  /// Returns whether this fragment's instruction is compiled to the given SASS opcode.
  bool isMadeBy(std::string_view sassOpcode) const;
};
/// Returns all fragments of the PTX ISA that can be shown: the operands of mma.m16n8k16, and ldmatrix of 1, 2 and 4
/// matrices, with and without .trans.
std::span<const PtxFragment> ptxFragments();

/// Returns the wmma fragments that can be shown instead of a statement's own: of m16n16k16, m32n8k16 and m8n32k16 each
/// A and B, and C, D in float32 and in float16. All are loaded from row-major memory.
std::span<const model::FragmentKind> wmmaFragments();
/// Returns the name of a wmma fragment that the panel shows: "wmma.m32n8k16: C, D in f32".
std::string wmmaName(const model::FragmentKind& kind);

/// A fragment as a picture: which lane holds each element of one or several matrices, in which of its registers.
struct FragmentPicture {
  /// Where one element is held. If several lanes hold it, `lane` is the highest of them.
  struct Cell {
    int lane = -1, number = -1;  ///< the lane, and the index of one of the lane's registers of the fragment; −1: none
    int part = -1;  ///< which of the `parts` of that register, from its lowest bits; −1: the element fills it
  };
  std::string letter;         ///< name of the matrix in the names of elements, "A"; empty for ldmatrix
  int matrices = 1;           ///< number of matrices, of `rows` × `columns` elements each
  int rows = 0, columns = 0;  ///< size of a matrix in elements
  int firstRow = 0;           ///< row of the whole tile that row 0 is; above 0 for later warps of a warpgroup
  int registers = 1;          ///< number of registers that a lane holds the fragment in
  int parts = 1;              ///< number of elements in a register: 1, 2 of 16 bits or 4 of 8 bits
  std::vector<Cell> cells;    ///< one per element: matrix by matrix, row by row
  std::vector<int> address;   ///< ldmatrix: for each row of each matrix, the lane that gives its address; else empty

  /// Returns the cell of an element.
  const Cell& at(int matrix, int row, int column) const {
    return cells[std::size_t((matrix * rows + row) * columns + column)];
  }
  /// Returns the lane that gives the address of a row. Requires that `address` isn't empty.
  int addressOf(int matrix, int row) const { return address[std::size_t(matrix * rows + row)]; }
  /// Returns the name of an element: "A[14, 5]"; for ldmatrix "[6, 5]".
  std::string elementText(int row, int column) const;
  /// What one register of a lane holds: one element, or several neighbouring ones of a row or of a column.
  struct Held {
    int number = 0, matrix = 0;  ///< indices of the register and of the matrix
    std::string elements;        ///< "A[8, 0:2]", where 0:2 stands for 0 and 1; for ldmatrix "[0:2, 5]"
    friend bool operator==(const Held&, const Held&) = default;
  };
  /// Returns what each register of a lane holds, in the order of the registers; those that hold no element are left
  /// out.
  std::vector<Held> heldBy(int lane) const;
};

/// Returns the picture of a fragment with the layout (lane, register[, half | byte]) → (row, column). Elements are
/// named after `operand`: A, B, or C for the accumulator. If the layout is that of a warpgroup, its first input is one
/// of 128 threads; the picture then shows the rows that the warp with index `warp` (0 to 3) of the warpgroup holds. For
/// other layouts `warp` must be 0. Returns the layout's error if it is undefined for one of these inputs.
Result<FragmentPicture> fragmentPicture(const layout::Layout& layout, layout::Operand operand, int warp = 0);
/// Returns how many warps share a tile of this layout: 1, or 4 for a warpgroup's.
int warpsOf(const layout::Layout& layout);
/// Returns the picture of a fragment of the PTX ISA.
FragmentPicture fragmentPicture(const PtxFragment& fragment);

/// SASS opcodes, each with the number of instructions that have it.
using OpcodeCounts = std::vector<std::pair<std::string, int>>;
/// Returns the opcodes of the instructions for tensor cores and of ldmatrix in the machine code, in the order in which
/// they first occur. The instructions are counted, not their executions. Returns an empty list if there are none.
OpcodeCounts matrixInstructions(const sass::Kernel& kernel);

}  // namespace loom::session
