#include "core/device/lane_operations.h"

#include <bit>
#include <limits>

namespace loom::device {
namespace {

using ir::ExprKind;
using Op = LaneOperation;

std::optional<Op> operationOf(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add: return Op::Add;
    case ExprKind::Sub: return Op::Sub;
    case ExprKind::Mul: return Op::Mul;
    case ExprKind::Div: return Op::Div;
    case ExprKind::Mod: return Op::Mod;
    case ExprKind::FloorDiv: return Op::FloorDiv;
    case ExprKind::FloorMod: return Op::FloorMod;
    case ExprKind::Min: return Op::Min;
    case ExprKind::Max: return Op::Max;
    case ExprKind::EQ: return Op::EQ;
    case ExprKind::NE: return Op::NE;
    case ExprKind::LT: return Op::LT;
    case ExprKind::LE: return Op::LE;
    case ExprKind::GT: return Op::GT;
    case ExprKind::GE: return Op::GE;
    case ExprKind::And: return Op::And;
    case ExprKind::Or: return Op::Or;
    default: return std::nullopt;
  }
}

std::optional<Op> operationOf(const std::string& call) {
  if (call == "shift_left") return Op::ShiftLeft;
  if (call == "shift_right") return Op::ShiftRight;
  if (call == "bitwise_and") return Op::BitAnd;
  if (call == "bitwise_or") return Op::BitOr;
  if (call == "bitwise_xor") return Op::BitXor;
  return std::nullopt;
}

// f of the lanes' values; once when both operands are uniform. Which of them are is asked before the lanes, so that
// the compiler makes vector instructions of each loop.
template <class F>
void map(const LaneValues& x, const LaneValues& y, LaneValues& out, F f) {
  out.uniform = x.uniform && y.uniform;
  if (out.uniform) {
    out.one = f(x.one, y.one);
    return;
  }
  std::int64_t* __restrict to = out.each.data();
  const std::int64_t *a = x.each.data(), *b = y.each.data();
  if (x.uniform) {
    for (int lane = 0; lane < kLanes; ++lane) to[lane] = f(x.one, b[lane]);
  } else if (y.uniform) {
    for (int lane = 0; lane < kLanes; ++lane) to[lane] = f(a[lane], y.one);
  } else {
    for (int lane = 0; lane < kLanes; ++lane) to[lane] = f(a[lane], b[lane]);
  }
}

template <class F>
bool any(const LaneValues& x, F f) {
  if (x.uniform) return f(x.one);
  for (int lane = 0; lane < kLanes; ++lane)
    if (f(x.each[std::size_t(lane)])) return true;
  return false;
}

// Quotients of 32 bits take a third of the time of those of 64.
std::int64_t quotient(std::int64_t x, std::int64_t y) {
  constexpr std::int64_t kShort = std::numeric_limits<std::uint32_t>::max();
  if (x >= 0 && y > 0 && x <= kShort && y <= kShort) return std::uint32_t(x) / std::uint32_t(y);
  if (y == -1) return std::int64_t(-std::uint64_t(x));  // that of the least number wraps around
  return x / y;
}

// Products wrap around.
std::int64_t times(std::int64_t x, std::int64_t y) { return std::int64_t(std::uint64_t(x) * std::uint64_t(y)); }

std::int64_t floorQuotient(std::int64_t x, std::int64_t y) {
  const std::int64_t q = quotient(x, y);
  return q - (times(q, y) != x && (x < 0) != (y < 0));
}

// Whether all lanes have values from 0 to 2^31 - 1.
bool areShort(const LaneValues& x) {
  if (x.uniform) return x.one >= 0 && x.one <= std::numeric_limits<std::int32_t>::max();
  std::uint64_t bits = 0;
  for (const std::int64_t value : x.each) bits |= std::uint64_t(value);
  return bits <= std::uint64_t(std::numeric_limits<std::int32_t>::max());
}

// The quotients, or remainders, of such values and a number from 1 to 2^31 - 1, by a product and a shift: of 2^k / y,
// rounded up, with 2^(k - 31) ≥ y, a product with x < 2^31 lies less than 1 / y above x / y.
void divideShort(bool isQuotient, const LaneValues& x, std::int64_t y, LaneValues& out) {
  const int places = 31 + std::bit_width(std::uint64_t(y) - 1);
  const auto inverse = std::uint64_t(((std::uint64_t{1} << places) + std::uint64_t(y) - 1) / std::uint64_t(y));
  const auto quotient = [=](std::int64_t a) { return std::int64_t(std::uint64_t(a) * inverse >> places); };
  if (isQuotient) {
    map(x, LaneValues(y), out, [=](std::int64_t a, std::int64_t) { return quotient(a); });
  } else {
    map(x, LaneValues(y), out, [=](std::int64_t a, std::int64_t b) { return a - quotient(a) * b; });
  }
}

// Divisions by a power of two are shifts; those of values of one sign by one number are alike, however they round.
bool divide(Op op, const LaneValues& x, const LaneValues& y, LaneValues& out) {
  if (any(y, [](std::int64_t v) { return v == 0; })) return false;
  const bool isShift = y.uniform && y.one > 0 && std::has_single_bit(std::uint64_t(y.one));
  const int places = isShift ? std::countr_zero(std::uint64_t(y.one)) : 0;
  if (!isShift && !x.uniform && y.uniform && y.one > 0 && areShort(y) && areShort(x)) {
    divideShort(op == Op::FloorDiv || op == Op::Div, x, y.one, out);
    return true;
  }
  switch (op) {
    case Op::FloorDiv:
      if (isShift) {
        map(x, y, out, [places](std::int64_t a, std::int64_t) { return a >> places; });
      } else {
        map(x, y, out, floorQuotient);
      }
      return true;
    case Op::FloorMod:
      if (isShift) {
        map(x, y, out, [](std::int64_t a, std::int64_t b) { return a & (b - 1); });
      } else {
        map(x, y, out, [](std::int64_t a, std::int64_t b) { return a - times(floorQuotient(a, b), b); });
      }
      return true;
    case Op::Div:
      if (isShift) {
        map(x, y, out, [places](std::int64_t a, std::int64_t b) { return (a + (a < 0 ? b - 1 : 0)) >> places; });
      } else {
        map(x, y, out, quotient);
      }
      return true;
    default: map(x, y, out, [](std::int64_t a, std::int64_t b) { return a - times(quotient(a, b), b); }); return true;
  }
}

}  // namespace

std::optional<LaneOperands> laneOperandsOf(const ir::ExprNode& e) {
  if (ir::isBinary(e.kind)) {
    const auto op = operationOf(e.kind);
    const auto& n = static_cast<const ir::BinaryNode&>(e);
    return op ? std::optional(LaneOperands{*op, &n.a, &n.b}) : std::nullopt;
  }
  if (e.kind != ExprKind::Call) return std::nullopt;
  const auto& n = static_cast<const ir::CallNode&>(e);
  const auto op = n.args.size() == 2 ? operationOf(n.op) : std::nullopt;
  return op ? std::optional(LaneOperands{*op, &n.args[0], &n.args[1]}) : std::nullopt;
}

bool combine(Op op, const LaneValues& x, const LaneValues& y, LaneValues& out) {
  using I = std::int64_t;
  using U = std::uint64_t;  // wraps around
  switch (op) {
    case Op::Add: map(x, y, out, [](I a, I b) { return I(U(a) + U(b)); }); return true;
    case Op::Sub: map(x, y, out, [](I a, I b) { return I(U(a) - U(b)); }); return true;
    case Op::Mul: map(x, y, out, times); return true;
    case Op::Div:
    case Op::Mod:
    case Op::FloorDiv:
    case Op::FloorMod: return divide(op, x, y, out);
    case Op::Min: map(x, y, out, [](I a, I b) { return a < b ? a : b; }); return true;
    case Op::Max: map(x, y, out, [](I a, I b) { return a > b ? a : b; }); return true;
    case Op::EQ: map(x, y, out, [](I a, I b) { return I(a == b); }); return true;
    case Op::NE: map(x, y, out, [](I a, I b) { return I(a != b); }); return true;
    case Op::LT: map(x, y, out, [](I a, I b) { return I(a < b); }); return true;
    case Op::LE: map(x, y, out, [](I a, I b) { return I(a <= b); }); return true;
    case Op::GT: map(x, y, out, [](I a, I b) { return I(a > b); }); return true;
    case Op::GE: map(x, y, out, [](I a, I b) { return I(a >= b); }); return true;
    case Op::And: map(x, y, out, [](I a, I b) { return I((a != 0) & (b != 0)); }); return true;
    case Op::Or: map(x, y, out, [](I a, I b) { return I((a != 0) | (b != 0)); }); return true;
    case Op::BitAnd: map(x, y, out, [](I a, I b) { return a & b; }); return true;
    case Op::BitOr: map(x, y, out, [](I a, I b) { return a | b; }); return true;
    case Op::BitXor: map(x, y, out, [](I a, I b) { return a ^ b; }); return true;
    case Op::ShiftLeft:
    case Op::ShiftRight: break;
  }
  if (any(y, [](I v) { return v < 0 || v > 62; })) return false;
  if (op == Op::ShiftLeft) {
    map(x, y, out, [](I a, I b) { return I(std::uint64_t(a) << b); });
  } else {
    map(x, y, out, [](I a, I b) { return a >> b; });
  }
  return true;
}

void negate(const LaneValues& x, LaneValues& out) {
  map(x, LaneValues(0), out, [](std::int64_t a, std::int64_t) { return std::int64_t(a == 0); });
}

void select(const LaneValues& condition, const LaneValues& yes, const LaneValues& no, LaneValues& out) {
  if (condition.uniform) {
    out = condition.one != 0 ? yes : no;
    return;
  }
  out.uniform = false;
  for (int lane = 0; lane < kLanes; ++lane)
    out.each[std::size_t(lane)] = condition.each[std::size_t(lane)] != 0 ? yes[lane] : no[lane];
}

}  // namespace loom::device
