#pragma once

#include <algorithm>
#include <array>

#include "core/device/operations/families.h"

/// What is common to the families of operations by which each thread copies a span of bytes from global to shared
/// memory (cp.async and the like).
namespace loom::device {

/// Returns the description of an operand that is a span of `bytes` bytes of each thread, aligned to `bytes`.
constexpr OperandRow spanOf(std::string_view name, OperandRow::Use use, OperandRow::Where where, int bytes) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.where = where;
  r.bytes = r.alignment = bytes;
  return r;
}
/// The operands of a copy of kBytes bytes: "to", in shared memory, and "from", in global memory.
template <int kBytes>
inline constexpr std::array<OperandRow, 2> kCopied{
    spanOf("to", OperandRow::Use::Write, OperandRow::Where::Shared, kBytes),
    spanOf("from", OperandRow::Use::Read, OperandRow::Where::Global, kBytes)};

/// The names of the values of an operation that runs `copyOrZeros`: one, which is 0 if the thread is to write zeros.
inline constexpr std::array<std::string_view, 1> kInside{"inside"};

/// Execute one thread's copy on the CPU (OperationRow::run): from tiles[1] to tiles[0], which have equally many
/// elements. `copyOrZeros` writes zeros instead if values[0] is 0.
inline void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}
inline void copyOrZeros(std::span<const TileView> tiles, std::span<const double> values) {
  if (values[0] != 0) return copy(tiles, values);
  std::ranges::fill(tiles[0].all(), 0);
}

}  // namespace loom::device
