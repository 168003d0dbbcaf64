#pragma once

#include "core/tune/tensorize/pattern_match.h"

namespace loom::tune {

/// Which operand is which matrix of c = a · b + c.
enum class MatrixRole : std::uint8_t { A, B, C };

/// A row of the table of operands by iterators.
struct OperandRow {
  ir::Buffer buffer;
  MatrixRole role = MatrixRole::C;
  std::vector<bool> uses;       ///< for each of the product's iterators: whether it indexes the operand
  bool rowMajor = true;         ///< by the last index: of a as [m, k], of b as [k, n], of c as [m, n]
  bool transposedCopy = false;  ///< its copy in shared memory lies the other way round
};

/// Pass 2: which operand is a, b and c, and by rows or by columns.
struct Identification : PassReport {
  std::vector<OperandRow> rows;  ///< a, b, c
  int m = 0, n = 0;              ///< iterators that are the rows and the columns of c: i and j, or swapped
  bool swapped = false;          ///< c is formed transposed
  ProductForm form;
  /// Returns the factor that is a, b, by its number in MatrixProduct::factors.
  int factorOf(MatrixRole role) const { return form.bFirst == (role == MatrixRole::A) ? 1 : 0; }
};
Identification identifyMatrices(const MatrixProduct& product, const TensorizeRequest& request, const TensorTile& tile);

}  // namespace loom::tune
