// The combiner of a reduction block. It is associative and commutative and has an identity, so that rfactor and
// reductions across threads may compute partial results and combine them. Source: TVM 0.22,
// src/tir/schedule/analysis/reducer.cc.
#pragma once
#include <vector>

#include "core/ir/build.h"
#include "core/schedule/analysis.h"

namespace loom::schedule {

// An associative and commutative function of two tuples of values, one value for each buffer of the reduction.
struct Reducer {
  std::vector<ir::Var> left, right;  // the function's parameters
  std::vector<ir::Expr> combined;    // the function's result, in terms of `left` and `right`
  std::vector<ir::Expr> identity;    // constants that, combined with any x, give x; else see `reductionInParts`

  // Returns the function's result for these arguments, not simplified.
  std::vector<ir::Expr> combine(const std::vector<ir::Expr>& x, const std::vector<ir::Expr>& y) const;
};

// A reduction block's body, `buffers[i][indices] = combine(buffers[…][indices], values)[i]`. All vectors have one
// element for each buffer.
struct Reduction {
  std::vector<ir::Buffer> buffers;
  std::vector<ir::Expr> indices;  // the indices of the element in every buffer, in terms of the block's iterators
  std::vector<ir::Expr> values;   // the values that one iteration combines with those in the buffers
  Reducer reducer;
};

// Returns the reduction of a block. Known are sums, products, minima and maxima of one buffer, and
// sums, argmax and argmin of two. Errors: "RFactorNotApplicableError" if the block has no init, or init and body are
// not stores to the same elements, one for each buffer, with all new values computed before the first store;
// "InternalError", as in TVM, if the body is one store and the init several; "NoMatchedReducerError" if no known
// combiner fits.
Result<Reduction> reductionOf(const ir::BlockNode& block);

// Returns the reduction of a block whose parts threads may compute and combine: that of `reductionOf`, or one that TVM
// doesn't know. That is a minimum or maximum which begins at any constant, with this constant as `identity`, since each
// part may begin at it, too; or a combiner of one buffer whose second operand, not its first, is what the buffer holds.
// Unlike TVM, it refuses a reduction whose values read the reduction's own buffers ("NoMatchedReducerError"). Other
// errors are those of `reductionOf`.
Result<Reduction> reductionInParts(const ir::BlockNode& block);

}  // namespace loom::schedule
