// Operations on the values of the 32 lanes of a warp.
#pragma once
#include <optional>

#include "core/device/lane_values.h"

namespace loom::device {

enum class LaneOperation {
  Add,
  Sub,
  Mul,
  Div,  // rounds to zero, as Mod's quotient does
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

// An expression of two operands that lanes can compute.
struct LaneOperands {
  LaneOperation operation = LaneOperation::Add;
  const ir::Expr *a = nullptr, *b = nullptr;
};

// Returns the operation of an expression of two operands. Returns nothing for all others.
std::optional<LaneOperands> laneOperandsOf(const ir::ExprNode& e);

// Sets `out` to what the operation makes in each lane, once where both operands are uniform. Returns false, and leaves
// `out` undefined, where it makes nothing in one of the lanes: dividing by 0, shifting by less than 0 or more than 62
// places. `out` must be neither `x` nor `y`.
bool combine(LaneOperation operation, const LaneValues& x, const LaneValues& y, LaneValues& out);

// Sets `out` to 1 in the lanes in which `x` is 0, and to 0 in the others.
void negate(const LaneValues& x, LaneValues& out);

// Sets `out` to `yes` in the lanes in which the condition isn't 0, and to `no` in the others.
void select(const LaneValues& condition, const LaneValues& yes, const LaneValues& no, LaneValues& out);

}  // namespace loom::device
