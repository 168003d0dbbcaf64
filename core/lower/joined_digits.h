// Digits of one number that stand apart in a sum: v // 9 * 9 + v // 3 % 3 * 3 + v % 3 is v.
#pragma once
#include "core/arith/analyzer.h"

namespace loom::lower {

// Returns an equal sum in which quotients and remainders that are all digits of one number, each times the value of its
// place, are replaced by the number; other terms stay. The simplifier alone joins only digits of a number that is
// written in the same way in each. Here each digit may have been simplified by itself: for v = 48 * x + y the digits
// are (48 * x + y) // 9, (16 * x + y // 3) % 3 and y % 3. Sums of this kind are addresses in a buffer of several
// dimensions whose indices were made from one loop, as those of a convolution's weights are when it is computed as a
// product. Returns the same node if it has no such terms, else a simplified one. `sum` must not be null; `analyzer`
// knows the ranges of the variables.
ir::Expr withJoinedDigits(const ir::Expr& sum, arith::Analyzer& analyzer);

}  // namespace loom::lower
