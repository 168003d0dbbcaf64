// Precedences of C++ operators, to print expressions with few parentheses. Internal to core/codegen.
#pragma once

namespace loom::codegen {

// A precedence; a larger one binds tighter. An expression has that of its outermost operator, and kPrimary if it is a
// name, a number or a call. The text around an expression asks for a precedence, too: as a rule for that of the
// operator of which the expression is the left operand, for one more if it is the right operand, and for kNone if there
// is no operator around it. The expression gets parentheses if its own precedence is lower. `|` and `^` have none here,
// because they are always printed with parentheses.
enum Level {
  kNone = 0,
  kConditional = 1,
  kOr,
  kAnd,
  kBitAnd,
  kEquality,
  kRelation,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary
};

}  // namespace loom::codegen
