#pragma once

#include <algorithm>
#include <array>

#include "core/device/operations/families.h"

/// What the families have in common that copy a thread's own bytes from global to shared memory.
namespace loom::device {

/// Returns an operand of so many bytes of each thread, aligned to as many.
constexpr OperandRow spanOf(std::string_view name, OperandRow::Use use, OperandRow::Where where, int bytes) {
  OperandRow r;
  r.name = name;
  r.use = use;
  r.where = where;
  r.bytes = r.alignment = bytes;
  return r;
}
/// "to", in shared memory, and "from", in global memory.
template <int kBytes>
inline constexpr std::array<OperandRow, 2> kCopied{
    spanOf("to", OperandRow::Use::Write, OperandRow::Where::Shared, kBytes),
    spanOf("from", OperandRow::Use::Read, OperandRow::Where::Global, kBytes)};

/// The value of `copyOrZeros`.
inline constexpr std::array<std::string_view, 1> kInside{"inside"};

/// OperationRow::run of a copy, and of one that writes zeros where its value is 0.
inline void copy(std::span<const TileView> tiles, std::span<const double>) {
  std::ranges::copy(tiles[1].all(), tiles[0].values);
}
inline void copyOrZeros(std::span<const TileView> tiles, std::span<const double> values) {
  if (values[0] != 0) return copy(tiles, values);
  std::ranges::fill(tiles[0].all(), 0);
}

}  // namespace loom::device
