// A matrix product at another size, or with other element types: the same function, so that a schedule of the one can
// be applied to the other.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/workload.h"
#include "core/ir/result.h"

namespace loom::gpu {

// What a product becomes. Types that are void stay as they are.
struct ProductSize {
  std::int64_t m = 0, n = 0, k = 0;  // elements
  ir::DType input, output;           // of A and B; of D and the sum
  friend bool operator==(const ProductSize&, const ProductSize&) = default;
};

// The function with other loop extents, shapes and types; loops, blocks and buffers keep their ids and names. The
// operands are cast where the sum has another type. "NotAProduct" for a function that recognizeMatmul doesn't know, or
// whose loops aren't its iteration variables; "ValueError" for sizes below 1 and buffers of more than 2^31-1 elements.
Result<ir::Function> resized(const ir::Function& function, const ProductSize& size);

// Sizes as they are typed: "512 1024", "2048x512x1024" (M, N, K), "512..8192" (each twice the one before), divided by
// blanks or commas. Each once, in the order typed. "ValueError" for what is none of these, for none at all, and for
// more than `most`.
Result<std::vector<ProductSize>> readSizes(const std::string& text, std::size_t most = 64);

// "float16/float32": the operands' element type and the sum's. "ValueError" for what is none, or no type of a product.
Result<std::pair<ir::DType, ir::DType>> readTypes(const std::string& text);

// "1024" for a cube, else "2048×512×1024".
std::string sizeText(const ProductSize& size);

}  // namespace loom::gpu
