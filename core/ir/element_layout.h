// Where the elements of a buffer lie, as numbers: the one place that knows strides and offsets.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/expr.h"

namespace loom::ir {

// Element (i, j, …) lies `start` + i · strides[0] + j · strides[1] + … elements behind the buffer's data pointer.
// All figures are in elements.
struct ElementLayout {
  std::vector<std::int64_t> extents, strides;
  std::int64_t start = 0;

  std::int64_t elements() const;
  // From the data pointer to behind the last element: what memory must hold. 0 where there are no elements.
  std::int64_t footprint() const;
  // Less than 0 where an element lies before the data pointer.
  std::int64_t lowest() const;
  std::int64_t offsetOf(const std::vector<std::int64_t>& indices) const;
  // The inverse, for layouts that are `nested`. Nothing for offsets between elements or outside.
  std::optional<std::vector<std::int64_t>> indicesOf(std::int64_t offset) const;
  // Each dimension's stride steps over all of the dimensions with smaller strides, so that no two elements share a
  // place. Layouts that aren't may still have none that do.
  bool nested() const;
  // Row-major, from the data pointer on, without gaps.
  bool compact() const;
};

// None where an extent, a stride or the offset isn't a constant, or an extent is negative, or the footprint is more
// than 64 bits hold.
std::optional<ElementLayout> elementLayout(const BufferNode& buffer);

}  // namespace loom::ir
