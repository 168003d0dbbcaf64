// What a function computes, as far as the vendor's library can compute it too.
#pragma once
#include <optional>
#include <string>

#include "core/ir/stmt.h"

namespace loom::gpu {

// D[m, n] = Σk A · B, row-major operands. Sizes in elements; parameters are positions in the function's signature.
struct Matmul {
  std::int64_t m = 0, n = 0, k = 0;
  int a = 0, b = 1, d = 2;
  bool aTransposed = false;  // A is stored [k, m]
  bool bTransposed = false;  // B is stored [n, k]
  ir::DType input, output;   // of A and B, of D
  ir::DType accumulator;     // of the sum
  double flops() const { return 2.0 * double(m) * double(n) * double(k); }
  friend bool operator==(const Matmul&, const Matmul&) = default;
};

// The function's one block is a matrix product (possibly with casts of the operands), loops in any order.
std::optional<Matmul> recognizeMatmul(const ir::Function& function);

// A kernel that computes D in double precision, and next to it the sum of the products' absolute values, by the
// definition, one thread an element. Arguments: A, B, D (double), |A|·|B| (double); 256 threads a block.
std::string referenceSource(const Matmul& matmul);

}  // namespace loom::gpu
