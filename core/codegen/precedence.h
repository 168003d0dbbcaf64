// Precedences of C++ operators, to print expressions with few parentheses. Internal to core/codegen.
#pragma once

namespace loom::codegen {

// The precedence of an operator; a larger one binds tighter. kNone: no operator around the expression.
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
