// Interval arithmetic that int_set.cpp and int_set_eval.cpp share. Internal to core/arith.
#pragma once
#include "core/arith/int_set.h"

namespace loom::arith {

// Return the smaller of two lower ends, and the larger of two upper ends: the ends of a union. Null stands for an
// infinite end, here and below.
Expr lowerOf(const Expr& a, const Expr& b);
Expr upperOf(const Expr& a, const Expr& b);
// Return the larger of two lower ends, and the smaller of two upper ends: the ends of an intersection.
Expr raised(const Expr& lower, const Expr& by);
Expr lowered(const Expr& upper, const Expr& by);
// Return the smallest interval that holds both sets, of which either may be empty, and the intersection of both, which
// is empty only if that is proven. Ends aren't simplified.
IntSet hull(const IntSet& a, const IntSet& b);
IntSet overlap(const IntSet& a, const IntSet& b, Analyzer& analyzer);

// Returns an interval that contains the values which an arithmetic or logical binary operation can have if its operands
// lie in `a` and `b`: everything if nothing is known of them. Only the kind and the dtypes of `op` are used, not its
// operands. As in TVM, the dividend of a truncated remainder is taken as not negative. Throws std::domain_error for a
// division by the constant 0.
IntSet combine(const ir::BinaryNode& op, IntSet a, IntSet b, Analyzer& analyzer);

}  // namespace loom::arith
