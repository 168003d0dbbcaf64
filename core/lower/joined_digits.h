// Digits of one number that stand apart in a sum: v // 9 * 9 + v // 3 % 3 * 3 + v % 3 is v.
#pragma once
#include "core/arith/analyzer.h"

namespace loom::lower {

// Returns the sum with quotients and remainders of one number as the number, where they are its digits with their
// values. The simplifier joins those whose number is written alike in each; here each may have been simplified by
// itself: of v = 48 * x + y the digits are (48 * x + y) // 9, (16 * x + y // 3) % 3 and y % 3. Such are the indices of
// a buffer of several dimensions that a block reads along all of them together, as products read the weights of a
// convolution. Returns the sum itself where it has none. `analyzer` knows the variables' values.
ir::Expr withJoinedDigits(const ir::Expr& sum, arith::Analyzer& analyzer);

}  // namespace loom::lower
