// Buffers of several dimensions as matrices, because boxes of the copy engine (TMA) have two dimensions here: rows and
// columns. Dimensions are counted from 0.
#pragma once
#include <vector>

#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// Returns the dimension whose index grows by one with each iteration of a loop, while the indices of the other
// dimensions don't depend on the loop's variable; -1 if there is no such dimension. `at` has the indices by dimension.
// `analyzer` knows the ranges of the variables in them, the loop's included; what it can't prove counts as not so.
int dimensionOf(const std::vector<ir::Expr>& at, const device::LoopNode& loop, arith::Analyzer& analyzer);

// Finds the last dimension n that divides a buffer into a matrix: dimensions 0 to n, both included, together count its
// rows, those behind n its columns, and each of the loops makes either the row or the column grow by one with each
// iteration. Returns n. For example, `X[x // 197, x % 197, k]` has the row x, and `Q[b, i, h, d]`, with 64 values of d,
// the row that b and i count together and the column 64 * h + d.
// Unless all loops' dimensions are the last two already, `place` is changed: index n becomes the row, the last index
// the column, all others zero. If there is no such dimension, or if the buffer has strides, returns the last dimension
// but one and leaves `place` as it is; 0 if the buffer has one dimension. The result doesn't tell this from success:
// callers must refuse buffers with strides, and places at which `dimensionOf` of a loop is neither n nor the last.
std::size_t placeInMatrix(device::BufferPlace& place, const std::vector<const device::LoopNode*>& loops,
                          arith::Analyzer& analyzer);

// In the following, `rows` is the last dimension that counts rows, as `placeInMatrix` returns it.
// Returns the row of a place in the matrix; not simplified. `placeInMatrix` may have changed the place.
ir::Expr rowOf(const device::BufferPlace& place, std::size_t rows);
// Return the number of rows, and the number of elements of a row, of a compact buffer as a matrix. For `widthOf` the
// buffer must have dimensions behind `rows`.
ir::Expr heightOf(const ir::BufferNode& matrix, std::size_t rows);
ir::Expr widthOf(const ir::BufferNode& matrix, std::size_t rows);

}  // namespace loom::lower
