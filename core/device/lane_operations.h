// Operations on the values of the 32 lanes of a warp.
#pragma once
#include <optional>

#include "core/device/lane_values.h"

namespace loom::device {

// Operations on two integers of 64 bits, into which sums, differences, products and quotients must fit. Comparisons and
// logical operations give 0 or 1.
enum class LaneOperation {
  Add,
  Sub,
  Mul,
  Div,  // rounds toward zero; Mod is the remainder of this division
  Mod,
  FloorDiv,
  FloorMod,
  Min,
  Max,
  EQ,
  NE,
  LT,
  LE,
  GT,
  GE,
  And,
  Or,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
};

// An expression as an operation on two operands.
struct LaneOperands {
  LaneOperation operation = LaneOperation::Add;
  const ir::Expr *a = nullptr, *b = nullptr;
};

// Returns the operation and the operands of an expression that is one of LaneOperation; nothing for any other. The
// operands point into `e`.
std::optional<LaneOperands> laneOperandsOf(const ir::ExprNode& e);

// Sets `out` to the operation's result in each lane; `out` is uniform if both operands are. Returns false, and leaves
// `out` undefined, if the operation has no result in one of the lanes: a division by 0, or a shift by less than 0 or
// more than 62 places. In all three functions `out` must be none of the operands.
bool combine(LaneOperation operation, const LaneValues& x, const LaneValues& y, LaneValues& out);

// Sets `out` to 1 in the lanes in which `x` is 0, and to 0 in the others.
void negate(const LaneValues& x, LaneValues& out);

// Sets `out` to `yes` in the lanes in which the condition isn't 0, and to `no` in the others.
void select(const LaneValues& condition, const LaneValues& yes, const LaneValues& no, LaneValues& out);

}  // namespace loom::device
