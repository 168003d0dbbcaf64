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

/// A layout of the PTX ISA that can be held against a statement's own.
struct PtxFragment {
  const char* id;           ///< stable
  const char* instruction;  ///< "ldmatrix.x4.trans"
  const char* part;         ///< of its operands: "A", "C, D in f32"; empty: the instruction has one
  const char* section;      ///< title in the PTX ISA
  const char* opcode;       ///< what NVRTC 13.0 makes of it for sm_80 and sm_90
  bool exact;               ///< that is the whole opcode, not how it begins
  layout::Operand operand = layout::Operand::A;
  bool halves = false;  ///< an accumulator of 16-bit elements
  int matrices = 0;     ///< of ldmatrix; 0: mma
  bool transposed = false;

  /// Returns a name: "mma.m16n8k16: A".
  std::string name() const;
  bool isMadeBy(std::string_view sassOpcode) const;
};
/// Returns all fragments that core/layout has the tables of: operands of mma.m16n8k16, ldmatrix of 1, 2 and 4 matrices.
std::span<const PtxFragment> ptxFragments();

/// Fragments of wmma that can be held against a statement's own, from row-major memory: A, B, C, D in float32 and in
/// float16 of m16n16k16, m32n8k16 and m8n32k16.
std::span<const model::FragmentKind> wmmaFragments();
/// Returns a name: "wmma.m32n8k16: C, D in f32".
std::string wmmaName(const model::FragmentKind& kind);

/// A fragment as a picture: who holds each element of one or several matrices.
struct FragmentPicture {
  struct Cell {
    int lane = -1, number = -1;  ///< of the lane's registers
    int part = -1;               ///< of the register's `parts`, the lowest bits first; −1: the element fills it
  };
  std::string letter;  ///< what the elements are of, "A"; empty: of the matrices
  int matrices = 1;    ///< of `rows` × `columns` each
  int rows = 0, columns = 0;
  int firstRow = 0;          ///< of the whole tile, where the rows are those of one warp of a warpgroup
  int registers = 1;         ///< that a lane has
  int parts = 1;             ///< elements of a register: 1, 2 halves or 4 bytes
  std::vector<Cell> cells;   ///< matrix by matrix, row by row
  std::vector<int> address;  ///< by matrix and row, the lane that gives the row's address; empty: nobody does

  const Cell& at(int matrix, int row, int column) const {
    return cells[std::size_t((matrix * rows + row) * columns + column)];
  }
  int addressOf(int matrix, int row) const { return address[std::size_t(matrix * rows + row)]; }
  /// Returns the name of an element: "A[14, 5]"; "[6, 5]" for a matrix.
  std::string elementText(int row, int column) const;
  /// What a register of a lane holds: one element, or two beside or below each other.
  struct Held {
    int number = 0, matrix = 0;
    std::string elements;  ///< "A[8, 0:2]"; of a matrix "[0:2, 5]"
    friend bool operator==(const Held&, const Held&) = default;
  };
  std::vector<Held> heldBy(int lane) const;
};

/// Makes the picture of a layout (lane, register[, half | byte]) → (row, column); for a layout of a warpgroup's 128
/// threads, of the rows that its warp `warp` holds. Error: the layout's own, if it is undefined.
Result<FragmentPicture> fragmentPicture(const layout::Layout& layout, layout::Operand operand, int warp = 0);
/// Returns how many warps share a tile of this layout: 1, or 4 for a warpgroup's.
int warpsOf(const layout::Layout& layout);
FragmentPicture fragmentPicture(const PtxFragment& fragment);

/// How often each instruction for tensor cores and each ldmatrix stands in the machine code, in the order of their
/// first; executions are not counted.
using OpcodeCounts = std::vector<std::pair<std::string, int>>;
OpcodeCounts matrixInstructions(const sass::Kernel& kernel);

}  // namespace loom::session
