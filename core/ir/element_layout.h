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
  // room; 0 if there are no elements, and 0 or less if all lie before the data pointer.
  std::int64_t footprint() const;
  // Returns the offset of the element that lies first; 0 if there are no elements. Offsets are counted from the data
  // pointer, so that they include `start`; elements before it have offsets below 0.
  std::int64_t lowest() const;
  // Returns the offset of the element with these indices, one for each dimension; they may lie outside of the extents.
  std::int64_t offsetOf(const std::vector<std::int64_t>& indices) const;
  // Returns the indices of the element at an offset, for layouts that are `nested`. Returns nothing for offsets between
  // elements or outside of the buffer.
  std::optional<std::vector<std::int64_t>> indicesOf(std::int64_t offset) const;
  // Returns whether the stride of each dimension of more than one element is at least the number of elements that the
  // dimensions with smaller strides reach over, so that no two elements share a place. Even if this is false, there may
  // be no elements that share a place. False for strides of 0 and below.
  bool nested() const;
  // Returns whether elements lie row-major from the data pointer on, without gaps.
  bool compact() const;
};

// Returns the layout of a buffer's elements; a buffer without strides lies row by row. Returns nothing if an extent, a
// stride or the offset isn't a constant, if an extent is negative, or if the number of elements or the distance over
// which they lie doesn't fit into 64 bits.
std::optional<ElementLayout> elementLayout(const BufferNode& buffer);

}  // namespace loom::ir
