// A matrix product at another size or with other element types. The resized function keeps all names and ids, so that a
// schedule of the original can be applied to it.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/workload.h"
#include "core/ir/result.h"

namespace loom::gpu {

// The size that a product D = A · B is to have, and its element types: A is m × k, B is k × n, D is m × n.
struct ProductSize {
  std::int64_t m = 0, n = 0, k = 0;  // elements, at least 1
  ir::DType input, output;           // type of A and B; type of D and of the sum. Void: the function's own type stays
  friend bool operator==(const ProductSize&, const ProductSize&) = default;
};

// Returns the product that a function computes if it is one whose sizes `resized` changes, as far as the buffers tell:
// of two matrices, not batched and without a vector. Nothing: it computes something else.
std::optional<Matmul> resizableProduct(const ir::Function& function);

// Returns the function with the loop extents, buffer shapes and types of `size`; loops, blocks and buffers keep their
// ids and names. The operands are cast where the sum has another type. Errors: "NotAProduct" if the function isn't one
// product of two matrices (resizableProduct), or isn't a plain loop nest: a loop isn't an iteration variable of the
// product, the block has a predicate or buffers of its own, or a parameter isn't a matrix without strides; "ValueError"
// for sizes that aren't 1 to 2^31 - 1, and for buffers of more elements than that.
Result<ir::Function> resized(const ir::Function& function, const ProductSize& size);

// Reads sizes that a person typed, separated by blanks or commas: "512" for a cube, "2048x512x1024" (or with ×) for M,
// N and K, "512..8192" for a range in which each size is twice the one before, up to the second number or below it.
// Returns each size once, in the order typed; its types are void. Error "ValueError" for any other text, a number that
// isn't 1 to 2^31 - 1, a range that descends, a text without a size, and for more than `most` sizes.
Result<std::vector<ProductSize>> readSizes(const std::string& text, std::size_t most = 64);

// Reads "float16/float32": the element type of the operands, then that of the sum; "float16" stands for both. Error
// "ValueError" for any other text, and for types of less than 8 bits or that are neither integers nor floats.
Result<std::pair<ir::DType, ir::DType>> readTypes(const std::string& text);

// Returns the size as text: "1024" for a cube, else "2048×512×1024" (M, N, K).
std::string sizeText(const ProductSize& size);

}  // namespace loom::gpu
