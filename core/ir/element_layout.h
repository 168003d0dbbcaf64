// Computes where the elements of a buffer lie in memory from its strides and offset, if all of these are constant.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/expr.h"

namespace loom::ir {

// Element (i, j, …) lies `start` + i · strides[0] + j · strides[1] + … elements behind the buffer's data pointer.
// All numbers are in elements; `extents` and `strides` are by dimension.
struct ElementLayout {
  std::vector<std::int64_t> extents, strides;
  std::int64_t start = 0;

  std::int64_t elements() const;  // returns the product of the extents
  // Returns the number of elements from the data pointer to the end of the last element, for which memory must have
  // room; 0 if there are no elements.
  std::int64_t footprint() const;
  // Returns the offset of the element that lies first; less than 0 if it lies before the data pointer; 0 if there are
  // no elements.
  std::int64_t lowest() const;
  // Returns the offset of the element with these indices.
  std::int64_t offsetOf(const std::vector<std::int64_t>& indices) const;
  // Returns the indices of the element at an offset, for layouts that are `nested`. Returns nothing for offsets between
  // elements or outside of the buffer.
  std::optional<std::vector<std::int64_t>> indicesOf(std::int64_t offset) const;
  // Returns whether each dimension's stride steps over all of the dimensions with smaller strides, so that no two
  // elements share a place. Even if this is false, there may be no elements that share a place.
  bool nested() const;
  // Returns whether elements lie row-major from the data pointer on, without gaps.
  bool compact() const;
};

// Returns the layout of a buffer's elements. Returns nothing if an extent, a stride or the offset isn't a constant, if
// an extent is negative, or if the number of elements or the distance over which they lie doesn't fit into 64 bits.
std::optional<ElementLayout> elementLayout(const BufferNode& buffer);

}  // namespace loom::ir
