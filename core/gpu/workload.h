// Recognizes functions that compute a matrix product, which the vendor's library can compute as well, and writes the
// reference kernel for such a product.
#pragma once
#include <optional>
#include <string>

#include "core/codegen/cuda.h"
#include "core/ir/stmt.h"

namespace loom::gpu {

// Where the elements of a matrix lie in a buffer: element (r, c) is at start + r · row + c · column, and that of the
// z-th matrix of a batch z · batch behind it. All in elements.
struct MatrixPlaces {
  std::int64_t start = 0, row = 0, column = 0;
  std::int64_t batch = 0;  // 0: all products of a batch have the same matrix
  std::int64_t at(std::int64_t r, std::int64_t c, std::int64_t z = 0) const {
    return start + r * row + c * column + z * batch;
  }
  friend bool operator==(const MatrixPlaces&, const MatrixPlaces&) = default;
};

// A matrix product D = A · B: A is m × k, B is k × n and D is m × n elements. Of a matrix and a vector, too: a vector
// is a matrix with one row (m = 1), or one with one column (n = 1) if the elements of D have gaps between them.
struct Matmul {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t batch = 1;    // so many products of these sizes, whose matrices lie in the same three buffers
  int a = 0, b = 1, d = 2;   // indices of A, B and D among the buffers of the function's parameters
  bool aTransposed = false;  // A is stored [k, m]; the dimension of a batch is left out here and below
  bool bTransposed = false;  // B is stored [n, k]
  ir::DType input, output;   // type of A and B, and of D
  ir::DType accumulator;     // type of the sum
  // The number of binary digits behind the leading one that kernels keep of each factor (device::factorDigitsOf): 10
  // for float32 that is multiplied as tf32. 0: all that the type has, as recognizeMatmul sets it, because this depends
  // on the kernels and not on the function.
  int factorDigits = 0;
  // The places of the elements of a buffer that isn't stored row by row without gaps, one matrix of a batch after the
  // other: `row` and `column` belong to the buffer's first and second dimension, also where the matrix is transposed.
  // Nothing: it is stored so.
  std::optional<MatrixPlaces> ownA, ownB, ownD;
  // Return the places of A(i, p), B(p, j) and D(i, j) in their buffers: `row` belongs to the first of the two indices,
  // and `column` to the second, also for a transposed matrix. D is never transposed.
  MatrixPlaces placesA() const;
  MatrixPlaces placesB() const;
  MatrixPlaces placesD() const;
  // Returns the number of elements of all matrices D.
  std::int64_t results() const { return batch * m * n; }
  // Returns whether A, B or D is a vector.
  bool hasVector() const { return m == 1 || n == 1; }
  double flops() const { return 2.0 * double(results()) * double(k); }
  friend bool operator==(const Matmul&, const Matmul&) = default;
};

// Returns the product that a function computes: its only block must be a product of two matrices, or of a matrix and a
// vector, that begins with sums of 0, possibly with casts of the operands; the loops may be in any order. One more
// iterator may count the products of a batch: it indexes a dimension of D and of A or B or both. Iterators that index
// the same matrices count as one where all of these are stored so that one could be split into them. Returns nothing
// for any other function, and if a size isn't constant (lower::instance gives a function with symbols constant sizes).
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
// Returns the product that a function computes, as recognizeMatmul, but with sizes that needn't be constant. Returns
// nothing for one that is batched or has iterators that would count as one.
std::optional<SymbolicMatmul> recognizeSymbolicMatmul(const ir::Function& function);

// Returns the product with the factorDigits of the kernels in `source`.
Matmul multipliedAs(Matmul matmul, const codegen::Source& source);

// Returns the CUDA text of a kernel named "reference" that computes D by its definition in double precision, and beside
// it the sums of the products' absolute values. Arguments: A and B as the function has them, D (double), |A|·|B|
// (double). Both results have Matmul::results() elements, row by row without gaps and one product of a batch after the
// other, wherever the function's own D lies. One thread computes one element: the launch has ceil(results() / 256)
// blocks of 256 threads, all along x.
std::string referenceSource(const Matmul& matmul);
// Returns the text of the same kernel, also named "reference", for all sizes of SymbolicMatmul::types, unbatched. Its
// further arguments, after those four, of type long long, are M, N, K and the element offsets aStart, aRow, aColumn,
// bStart, bRow, bColumn of A(i, p) and B(p, j).
std::string symbolicReferenceSource(const Matmul& types);

}  // namespace loom::gpu
