// What a function computes, as far as the vendor's library can compute it too.
#pragma once
#include <optional>
#include <string>

#include "core/ir/stmt.h"

namespace loom::gpu {

// Where the elements of a matrix lie: element (r, c) at start + r · row + c · column, in elements.
struct MatrixPlaces {
  std::int64_t start = 0, row = 0, column = 0;
  std::int64_t at(std::int64_t r, std::int64_t c) const { return start + r * row + c * column; }
  friend bool operator==(const MatrixPlaces&, const MatrixPlaces&) = default;
};

// D[m, n] = Σk A · B. Sizes in elements; a, b and d count the buffers among the function's parameters.
struct Matmul {
  std::int64_t m = 0, n = 0, k = 0;
  int a = 0, b = 1, d = 2;
  bool aTransposed = false;  // A is stored [k, m]
  bool bTransposed = false;  // B is stored [n, k]
  ir::DType input, output;   // of A and B, of D
  ir::DType accumulator;     // of the sum
  // Of matrices that aren't stored row by row without gaps, by the buffers' dimensions.
  std::optional<MatrixPlaces> ownA, ownB, ownD;
  // Of A(i, p), B(p, j) and D(i, j), whatever the order of the buffers' dimensions.
  MatrixPlaces placesA() const;
  MatrixPlaces placesB() const;
  MatrixPlaces placesD() const;
  double flops() const { return 2.0 * double(m) * double(n) * double(k); }
  friend bool operator==(const Matmul&, const Matmul&) = default;
};

// The function's one block is a matrix product (possibly with casts of the operands), loops in any order. None where
// its sizes aren't constant: lower::instance makes them so.
std::optional<Matmul> recognizeMatmul(const ir::Function& function);

// A matrix product whose sizes and places are expressions: of a function with symbols, or of any other. `types` has
// what isn't a size: the operands' dtypes, orders and parameters.
struct SymbolicMatmul {
  struct Places {
    ir::Expr start, row, column;  // as MatrixPlaces, by the buffer's dimensions
  };
  Matmul types;
  ir::Expr m, n, k;
  Places a, b, d;
};
std::optional<SymbolicMatmul> recognizeSymbolicMatmul(const ir::Function& function);

// A kernel that computes D in double precision, and next to it the sum of the products' absolute values, by the
// definition, one thread an element. Arguments: A, B, D (double), |A|·|B| (double); 256 threads a block.
std::string referenceSource(const Matmul& matmul);
// The same for all sizes: further arguments, of type long long, are M, N, K and the element offsets aStart, aRow,
// aColumn, bStart, bRow, bColumn of A(i, p) and B(p, j).
std::string symbolicReferenceSource(const Matmul& types);

}  // namespace loom::gpu
