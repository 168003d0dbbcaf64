// Buffers of several dimensions as matrices of rows and columns, which the copy engine knows alone.
#pragma once
#include <vector>

#include "core/arith/analyzer.h"
#include "core/device/program.h"

namespace loom::lower {

// Returns the dimension of an index that goes with a loop, one element an iteration, while the others don't go with it;
// -1: there is none, or several do.
int dimensionOf(const std::vector<ir::Expr>& at, const device::LoopNode& loop, arith::Analyzer& analyzer);

// Finds a dimension of a buffer so that rows, which it and those before it count together, and columns, which are all
// behind it, each go with some of the loops one by one, and returns it. `X[x // 197, x % 197, k]` has rows x,
// `Q[b, i, h, d]` rows i, in which columns d begin at 64 h. Where the loops don't go with the last two dimensions as
// they are, `place` becomes that of one row and column, with zeros for the other indices. Returns the last dimension
// but one, and leaves the place, where no dimension will do.
std::size_t placeInMatrix(device::BufferPlace& place, const std::vector<const device::LoopNode*>& loops,
                          arith::Analyzer& analyzer);

// Returns the row of a place whose rows `rows` and the dimensions before it count; not simplified.
ir::Expr rowOf(const device::BufferPlace& place, std::size_t rows);
// Return the number of rows, and of elements from one to the next, of a compact buffer whose rows `rows` and the
// dimensions before it count.
ir::Expr heightOf(const ir::BufferNode& matrix, std::size_t rows);
ir::Expr widthOf(const ir::BufferNode& matrix, std::size_t rows);

}  // namespace loom::lower
