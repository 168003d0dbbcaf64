#include "core/lower/matrix_rows.h"

#include <algorithm>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::lower {

namespace {

using device::LoopNode;
using ir::Expr;

// The product of the extents from one dimension to another, both included.
Expr extentsOf(const ir::BufferNode& buffer, std::size_t first, std::size_t last) {
  Expr product = buffer.shape[first];
  for (std::size_t d = first + 1; d <= last; ++d) product = product * buffer.shape[d];
  arith::Analyzer analyzer;
  return analyzer.simplify(product);
}

// What the indices of these dimensions, both included, count together.
Expr countedBy(const std::vector<Expr>& at, const ir::BufferNode& buffer, std::size_t first, std::size_t last) {
  Expr count = at[first];
  for (std::size_t d = first + 1; d <= last; ++d) count = count * buffer.shape[d] + at[d];
  return count;
}

}  // namespace

int dimensionOf(const std::vector<Expr>& at, const LoopNode& loop, arith::Analyzer& analyzer) {
  const auto isVar = [&](const ir::VarNode* v) { return v == loop.var.get(); };
  int found = -1;
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (!ir::usesVar(at[d], isVar)) continue;
    const Expr first = ir::substitute(at[d], {{loop.var.get(), ir::intImm(0, loop.var->dtype)}});
    if (found >= 0 || !ir::isConst(analyzer.simplify(at[d] - first - ir::cast(at[d]->dtype, loop.var)), 0)) return -1;
    found = int(d);
  }
  return found;
}

std::size_t placeInMatrix(device::BufferPlace& place, const std::vector<const LoopNode*>& loops,
                          arith::Analyzer& analyzer) {
  const std::size_t last = place.at.size() - 1;
  if (last == 0) return 0;
  const auto goWithLastTwoOf = [&](const std::vector<Expr>& at) {
    return std::ranges::all_of(loops,
                               [&](const LoopNode* l) { return dimensionOf(at, *l, analyzer) + 2 >= int(at.size()); });
  };
  if (goWithLastTwoOf(place.at) || !place.buffer->strides.empty()) return last - 1;
  for (std::size_t rows = last; rows-- > 0;) {
    const Expr row = analyzer.simplify(rowOf(place, rows));
    const Expr column = analyzer.simplify(countedBy(place.at, *place.buffer, rows + 1, last));
    if (!std::ranges::all_of(loops, [&](const LoopNode* l) { return dimensionOf({row, column}, *l, analyzer) >= 0; }))
      continue;
    for (Expr& index : place.at) index = ir::intImm(0, index->dtype);
    place.at[rows] = row, place.at[last] = column;
    return rows;
  }
  return last - 1;
}

Expr rowOf(const device::BufferPlace& place, std::size_t rows) { return countedBy(place.at, *place.buffer, 0, rows); }
Expr heightOf(const ir::BufferNode& matrix, std::size_t rows) { return extentsOf(matrix, 0, rows); }
Expr widthOf(const ir::BufferNode& matrix, std::size_t rows) {
  return extentsOf(matrix, rows + 1, matrix.shape.size() - 1);
}

}  // namespace loom::lower
