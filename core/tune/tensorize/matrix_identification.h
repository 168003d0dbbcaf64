#pragma once

#include "core/tune/tensorize/pattern_match.h"

namespace loom::tune {

/// Which operand is which matrix of c = a · b + c.
enum class MatrixRole : std::uint8_t { A, B, C };

/// An operand of the product, the iterators that index it, and its order in memory.
struct OperandRow {
  ir::Buffer buffer;
  MatrixRole role = MatrixRole::C;
  std::vector<bool> uses;       ///< for each of the product's iterators: whether it indexes the operand
  bool rowMajor = true;         ///< whether a lies as [m, k], b as [k, n], c as [m, n]; else the other way round
  bool transposedCopy = false;  ///< whether the operand's copy in shared memory is transposed
};

/// The result of pass 2 of the four that take a matrix product to tensor cores: which operands are a, b and c, and
/// whether each lies by rows or by columns.
struct Identification : PassReport {
  std::vector<OperandRow> rows;  ///< the operands a, b and c, in this order; empty if the pass has failed
  int m = 0, n = 0;              ///< indices of the product's iterators that run over the rows and the columns of c
  bool swapped = false;          ///< whether c is computed transposed: `m` is then the iterator j, and `n` is i
  ProductForm form;              ///< the order of operands in the program, and how b lies in shared memory
  /// Returns the index in MatrixProduct::factors of the factor that is a or b. `role` is not C.
  int factorOf(MatrixRole role) const { return form.bFirst == (role == MatrixRole::A) ? 1 : 0; }
};
/// Applies pass 2: finds the role of each operand, and the step lines (calls of scheduling primitives) that stage
/// operands in shared memory and fragments. Of `request` only `swapped` matters. The member `outcome` is Identified,
/// or OperandIsNeither if a factor's last two dimensions are indexed neither by i and k nor by k and j, in either
/// order, or both factors' by the same pair.
Identification identifyMatrices(const MatrixProduct& product, const TensorizeRequest& request, const TensorTile& tile);

}  // namespace loom::tune
