// Private to the room.
#pragma once

namespace loom::codegen {

// Precedence of C++ operators, larger binds tighter.
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
