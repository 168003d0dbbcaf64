// Recognizes functions that compute a matrix product, which the vendor's library can compute as well, and writes the
// reference kernel for such a product.
#pragma once
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/ir/stmt.h"

namespace loom::gpu {

// Where the elements of a matrix lie in a buffer: element (r, c) is at start + r · row + c · column. All in elements.
struct MatrixPlaces {
  std::int64_t start = 0, row = 0, column = 0;
  std::int64_t at(std::int64_t r, std::int64_t c) const { return start + r * row + c * column; }
  friend bool operator==(const MatrixPlaces&, const MatrixPlaces&) = default;
};

// A matrix product D = A · B: A is m × k, B is k × n and D is m × n elements.
struct Matmul {
  std::int64_t m = 0, n = 0, k = 0;
  int a = 0, b = 1, d = 2;   // indices of A, B and D among the buffers of the function's parameters
  bool aTransposed = false;  // A is stored [k, m]
  bool bTransposed = false;  // B is stored [n, k]
  ir::DType input, output;   // type of A and B, and of D
  ir::DType accumulator;     // type of the sum
  // The number of binary digits behind the leading one that kernels keep of each factor (device::factorDigitsOf): 10
  // for float32 that is multiplied as tf32. 0: all that the type has, as recognizeMatmul sets it, because this depends
  // on the kernels and not on the function.
  int factorDigits = 0;
  // The places of the elements of a buffer that isn't stored row by row without gaps: `row` and `column` belong to the
  // buffer's first and second dimension, also where the matrix is transposed. Nothing: it is stored so.
  std::optional<MatrixPlaces> ownA, ownB, ownD;
  // Return the places of A(i, p), B(p, j) and D(i, j) in their buffers: `row` belongs to the first of the two indices,
  // and `column` to the second, also for a transposed matrix. D is never transposed.
  MatrixPlaces placesA() const;
  MatrixPlaces placesB() const;
  MatrixPlaces placesD() const;
  double flops() const { return 2.0 * double(m) * double(n) * double(k); }
  friend bool operator==(const Matmul&, const Matmul&) = default;
};

// Returns the product that a function computes: its only block must be a matrix product that begins with sums of 0,
// possibly with casts of the operands; the loops may be in any order. Returns nothing for any other function, and if a
// size isn't constant (lower::instance gives a function with symbols constant sizes).
std::optional<Matmul> recognizeMatmul(const ir::Function& function);

// A matrix product whose sizes may be expressions in the function's symbols.
struct SymbolicMatmul {
  struct Places {
    ir::Expr start, row, column;  // as MatrixPlaces, in elements
  };
  // All that isn't a size: the types, aTransposed, bTransposed, and the indices a, b, d; the rest isn't set.
  Matmul types;
  ir::Expr m, n, k;  // the sizes in elements
  Places a, b, d;    // the places of A(i, p), B(p, j) and D(i, j), whatever the order of the buffers' dimensions is
};
// Returns the product that a function computes, as recognizeMatmul, but with sizes that needn't be constant.
std::optional<SymbolicMatmul> recognizeSymbolicMatmul(const ir::Function& function);

// Returns the product with the factorDigits of the kernels in `source`.
Matmul multipliedAs(Matmul matmul, const codegen::Source& source);

// Returns the CUDA text of a kernel named "reference" that computes D by its definition in double precision, and beside
// it the sums of the products' absolute values. Arguments: A and B as the function has them, D (double), |A|·|B|
// (double). Both results have m · n elements, row by row without gaps, wherever the function's own D lies. One thread
// computes one element: the launch has ceil(m · n / 256) blocks of 256 threads, all along x.
std::string referenceSource(const Matmul& matmul);
// Returns the text of the same kernel, also named "reference", for all sizes of SymbolicMatmul::types. Its further
// arguments, after those four, of type long long, are M, N, K and the element offsets aStart, aRow, aColumn, bStart,
// bRow, bColumn of A(i, p) and B(p, j).
std::string symbolicReferenceSource(const Matmul& types);

}  // namespace loom::gpu
