#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ir/stmt.h"

/// Buffers of one dimension, as kernels have them after `flatten`.
namespace loom::lower {

/// Pairs of a buffer of TensorIR and the flat one that stands for its memory.
using GlobalBuffers = std::vector<std::pair<ir::Buffer, ir::Buffer>>;

/// Returns the elements from one index of a dimension to the next: the buffer's own strides, or compact ones. Strides
/// that aren't constant count as compact.
std::vector<std::int64_t> flatStrides(const ir::BufferNode& b, const std::vector<std::int64_t>& extents);

/// Returns the flat buffer of a buffer of TensorIR: same name, dtype, scope and id, one dimension of `elements`.
ir::Buffer flatBuffer(const ir::Buffer& b, std::int64_t elements);
ir::Buffer flatBuffer(const ir::Buffer& b, ir::Expr elements);

/// Returns the product of the extents, of type int64; 1, of type int32, for none.
ir::Expr elementsOf(const std::vector<ir::Expr>& extents);

}  // namespace loom::lower
