// What a reduction block adds up and how: the combiner that rfactor and reductions across threads may take apart,
// because it is associative and commutative and has an identity. Source: TVM 0.22,
// src/tir/schedule/analysis/reducer.cc.
#pragma once
#include <vector>

#include "core/ir/build.h"
#include "core/schedule/analysis.h"

namespace loom::schedule {

// An associative and commutative function of two tuples of values, one value for each buffer of the reduction.
struct Reducer {
  std::vector<ir::Var> left, right;  // its parameters
  std::vector<ir::Expr> combined;    // its result in terms of these
  std::vector<ir::Expr> identity;    // combined with x it gives x; constants

  // Returns the function's result for these arguments, not simplified.
  std::vector<ir::Expr> combine(const std::vector<ir::Expr>& x, const std::vector<ir::Expr>& y) const;
};

// A reduction block's body, `buffers[i][indices] = combine(buffers[…][indices], values)[i]`. All vectors have one
// element for each buffer.
struct Reduction {
  std::vector<ir::Buffer> buffers;
  std::vector<ir::Expr> indices;  // of every buffer, in terms of the block's iteration variables
  std::vector<ir::Expr> values;   // what is combined with what the buffers hold
  Reducer reducer;
};

// Returns the reduction of a block that has an init. Known are sums, products, minima and maxima of one buffer, and
// sums, argmax and argmin of two. Errors: "RFactorNotApplicableError" if init and body are not stores to the same
// elements, one for each buffer, with all new values computed before the first store; "NoMatchedReducerError" if no
// known combiner fits.
Result<Reduction> reductionOf(const ir::BlockNode& block);

}  // namespace loom::schedule
