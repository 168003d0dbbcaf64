// Walks through the operands of a condition, a product or a sum.
#pragma once
#include "core/ir/expr.h"

namespace loom::arith {

// Calls f on every operand of a tree of `and`s, left to right; on e itself if it isn't an `and`.
template <class F>
void forEachConjunct(const ir::Expr& e, const F& f) {
  if (auto* n = ir::asBinary(e, ir::ExprKind::And)) {
    forEachConjunct(n->a, f);
    forEachConjunct(n->b, f);
  } else {
    f(e);
  }
}

// Calls f on every factor of a product, left to right; on e itself if it isn't a product.
template <class F>
void forEachFactor(const ir::Expr& e, const F& f) {
  if (auto* n = ir::asBinary(e, ir::ExprKind::Mul)) {
    forEachFactor(n->a, f);
    forEachFactor(n->b, f);
  } else {
    f(e);
  }
}

// Calls f(term, sign) on every term of a sum or difference, left to right; on e itself if it is neither. The sign
// passed to f is 1 or -1; `sign` is that of e.
template <class F>
void forEachTerm(const ir::Expr& e, const F& f, int sign = 1) {
  if (auto* sum = ir::asBinary(e, ir::ExprKind::Add)) {
    forEachTerm(sum->a, f, sign);
    forEachTerm(sum->b, f, sign);
  } else if (auto* difference = ir::asBinary(e, ir::ExprKind::Sub)) {
    forEachTerm(difference->a, f, sign);
    forEachTerm(difference->b, f, -sign);
  } else {
    f(e, sign);
  }
}

}  // namespace loom::arith
