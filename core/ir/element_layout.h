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
  // Returns the elements from the data pointer to behind the last element, which memory must hold; 0 if there are no
  // elements.
  std::int64_t footprint() const;
  // Less than 0 where an element lies before the data pointer.
  std::int64_t lowest() const;
  std::int64_t offsetOf(const std::vector<std::int64_t>& indices) const;
  // Returns the indices of the element at an offset, for layouts that are `nested`. Returns nothing for offsets between
  // elements or outside of the buffer.
  std::optional<std::vector<std::int64_t>> indicesOf(std::int64_t offset) const;
  // Returns whether each dimension's stride steps over all of the dimensions with smaller strides, so that no two
  // elements share a place. A layout for which this is false may still have no elements that do.
  bool nested() const;
  // Returns whether elements lie row-major from the data pointer on, without gaps.
  bool compact() const;
};

// Returns the layout of a buffer's elements. Returns nothing if an extent, a stride or the offset isn't a constant, if
// an extent is negative, or if the footprint doesn't fit into 64 bits.
std::optional<ElementLayout> elementLayout(const BufferNode& buffer);

}  // namespace loom::ir
