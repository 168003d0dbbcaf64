#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"

/// Buffers of one dimension, as kernels have them after the pass `flatten`, which replaces indices by offsets.
namespace loom::lower {

/// Pairs of a buffer of TensorIR in global memory, a kernel's parameter, and the flat one that stands for its memory.
using GlobalBuffers = std::vector<std::pair<ir::Buffer, ir::Buffer>>;

/// Returns the strides of a buffer by dimension, in elements: the buffer's own where they are constant. A stride that
/// isn't constant, and each stride of a buffer without strides, is replaced by the stride of the dimension behind it
/// times that dimension's entry in `extents` (1 for the last dimension). `extents` has an entry for each dimension.
std::vector<std::int64_t> flatStrides(const ir::BufferNode& b, const std::vector<std::int64_t>& extents);

/// Return a flat buffer that stands for the memory of a buffer of TensorIR: it has the same data variable, name, dtype,
/// scope and id, and one dimension of `elements` elements, from the start of the memory on.
ir::Buffer flatBuffer(const ir::Buffer& b, std::int64_t elements);
ir::Buffer flatBuffer(const ir::Buffer& b, ir::Expr elements);

/// Returns the product of the extents, of type int64; 1, of type int32, for none.
ir::Expr elementsOf(const std::vector<ir::Expr>& extents);

}  // namespace loom::lower
