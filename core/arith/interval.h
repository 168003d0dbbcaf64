// Steps of interval arithmetic that int_set.cpp and int_set_eval.cpp share. Private to the room.
#pragma once
#include "core/arith/int_set.h"

namespace loom::arith {

// The smaller of two lower ends and the larger of two upper ends (null: infinite).
Expr lowerOf(const Expr& a, const Expr& b);
Expr upperOf(const Expr& a, const Expr& b);
// The larger of two lower ends and the smaller of two upper ends.
Expr raised(const Expr& lower, const Expr& by);
Expr lowered(const Expr& upper, const Expr& by);
// The smallest interval around both sets; their common part. Ends are not simplified.
IntSet hull(const IntSet& a, const IntSet& b);
IntSet overlap(const IntSet& a, const IntSet& b, Analyzer& analyzer);

// The values of `op` (an arithmetic or logical binary node, for its dtype and operands) when its operands lie in a and
// b.
IntSet combine(const ir::BinaryNode& op, IntSet a, IntSet b, Analyzer& analyzer);

}  // namespace loom::arith
