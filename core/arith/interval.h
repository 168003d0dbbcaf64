// Steps of interval arithmetic that int_set.cpp and int_set_eval.cpp share. Private to the room.
#pragma once
#include "core/arith/int_set.h"

namespace loom::arith {

// Returns the smaller of two lower ends, and the larger of two upper ends. Null stands for an infinite end.
Expr lowerOf(const Expr& a, const Expr& b);
Expr upperOf(const Expr& a, const Expr& b);
// Return the larger of two lower ends, and the smaller of two upper ends.
Expr raised(const Expr& lower, const Expr& by);
Expr lowered(const Expr& upper, const Expr& by);
// Return the smallest interval around both sets, and the part that both have. Ends aren't simplified.
IntSet hull(const IntSet& a, const IntSet& b);
IntSet overlap(const IntSet& a, const IntSet& b, Analyzer& analyzer);

// Returns the values of an arithmetic or logical binary operation if its operands lie in `a` and `b`. Only the kind and
// the dtypes of `op` are used.
IntSet combine(const ir::BinaryNode& op, IntSet a, IntSet b, Analyzer& analyzer);

}  // namespace loom::arith
