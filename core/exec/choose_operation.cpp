#include "core/exec/choose_operation.h"

#include <unordered_map>

#include "core/ir/build.h"
#include "core/ir/operation.h"

namespace loom::exec {
namespace {

using namespace ir;

SelectedOperation wrapped(Op op, DType t) {
  if (t.isBool()) return {op, Op::ToBoolI, 0};
  if (t.bits >= 64 || !t.isIntegral()) return {op, std::nullopt, 0};
  return {op, t.isUInt() ? Op::WrapUnsigned : Op::WrapSigned, t.bits};
}

// The result in 16 or 8 bits. In 32 bits it stays a double, as sums do.
SelectedOperation rounded(Op op, DType t) {
  if (t.bits > 16) return {op, std::nullopt, 0};
  return {op, Op::RoundTo, std::int64_t(formatOf(t))};
}

bool isLong(DType t) { return t.isUInt() && t.bits == 64; }

Op pick(DType t, Op ofFloats, Op ofIntegers, Op ofLong) {
  return t.isFloat() ? ofFloats : isLong(t) ? ofLong : ofIntegers;
}

struct MathFunction {
  Op op;
  int arity;
};

// Functions of floats.
const std::unordered_map<std::string_view, MathFunction> kFunctions = {{"acos", {Op::Acos, 1}},
                                                                       {"acosh", {Op::Acosh, 1}},
                                                                       {"asin", {Op::Asin, 1}},
                                                                       {"asinh", {Op::Asinh, 1}},
                                                                       {"atan", {Op::Atan, 1}},
                                                                       {"atan2", {Op::Atan2, 2}},
                                                                       {"atanh", {Op::Atanh, 1}},
                                                                       {"ceil", {Op::Ceil, 1}},
                                                                       {"copysign", {Op::CopySign, 2}},
                                                                       {"cos", {Op::Cos, 1}},
                                                                       {"cosh", {Op::Cosh, 1}},
                                                                       {"erf", {Op::Erf, 1}},
                                                                       {"exp", {Op::Exp, 1}},
                                                                       {"exp10", {Op::Exp10, 1}},
                                                                       {"exp2", {Op::Exp2, 1}},
                                                                       {"fabs", {Op::AbsF, 1}},
                                                                       {"floor", {Op::Floor, 1}},
                                                                       {"fmod", {Op::ModF, 2}},
                                                                       {"hypot", {Op::Hypot, 2}},
                                                                       {"isfinite", {Op::IsFinite, 1}},
                                                                       {"isinf", {Op::IsInf, 1}},
                                                                       {"isnan", {Op::IsNan, 1}},
                                                                       {"ldexp", {Op::Ldexp, 2}},
                                                                       {"log", {Op::Log, 1}},
                                                                       {"log10", {Op::Log10, 1}},
                                                                       {"log1p", {Op::Log1p, 1}},
                                                                       {"log2", {Op::Log2, 1}},
                                                                       {"nearbyint", {Op::NearbyInt, 1}},
                                                                       {"nextafter", {Op::NextAfter, 2}},
                                                                       {"pow", {Op::PowF, 2}},
                                                                       {"round", {Op::Round, 1}},
                                                                       {"rsqrt", {Op::Rsqrt, 1}},
                                                                       {"sigmoid", {Op::Sigmoid, 1}},
                                                                       {"sin", {Op::Sin, 1}},
                                                                       {"sinh", {Op::Sinh, 1}},
                                                                       {"sqrt", {Op::Sqrt, 1}},
                                                                       {"tan", {Op::Tan, 1}},
                                                                       {"tanh", {Op::Tanh, 1}},
                                                                       {"trunc", {Op::Trunc, 1}}};

std::optional<SelectedOperation> chooseReinterpret(DType from, DType to) {
  if (from.bits != to.bits) return std::nullopt;
  if (from == to) return SelectedOperation{};
  if (from.isFloat() && to.isFloat()) return std::nullopt;  // through an integer: inOperations
  if (from.isFloat()) {
    SelectedOperation c = wrapped(Op::BitsOf, to);
    c.imm = std::int64_t(formatOf(from));
    return c;
  }
  if (to.isFloat()) return SelectedOperation{Op::FloatOf, {}, 0, std::int64_t(formatOf(to))};
  return wrapped(Op::Copy, to);
}

std::optional<SelectedOperation> chooseBits(const CallNode& call) {
  static const std::unordered_map<std::string_view, Op> kBits = {{"bitwise_and", Op::BitAnd},
                                                                 {"bitwise_or", Op::BitOr},
                                                                 {"bitwise_xor", Op::BitXor},
                                                                 {"shift_left", Op::ShiftLeft},
                                                                 {"shift_right", Op::ShiftRight}};
  const DType t = call.dtype.element();
  if (call.op == "bitwise_not") return t.isBool() ? SelectedOperation{Op::Not, {}, 0} : wrapped(Op::BitNot, t);
  if (call.op == "shift_right" && isLong(t)) return SelectedOperation{Op::ShiftRightU, {}, 0};
  auto found = kBits.find(call.op);
  return found == kBits.end() ? std::nullopt : std::optional(wrapped(found->second, t));
}

}  // namespace

std::optional<SelectedOperation> chooseBinary(ExprKind kind, DType t) {
  const bool f = t.isFloat(), i32 = t.isInt() && t.bits == 32;
  auto plain = [](Op op) { return SelectedOperation{op, {}, 0}; };
  switch (kind) {
    case ExprKind::Add: return f ? plain(Op::AddF) : i32 ? plain(Op::AddI32) : wrapped(Op::AddI, t);
    case ExprKind::Sub: return f ? plain(Op::SubF) : i32 ? plain(Op::SubI32) : wrapped(Op::SubI, t);
    case ExprKind::Mul: return f ? plain(Op::MulF) : i32 ? plain(Op::MulI32) : wrapped(Op::MulI, t);
    // Of 32 bits, the least number over -1 is left beyond them: no program divides indices so.
    case ExprKind::Div: return i32 ? plain(Op::DivI) : wrapped(pick(t, Op::DivF, Op::DivI, Op::DivU), t);
    case ExprKind::Mod: return plain(pick(t, Op::ModF, Op::ModI, Op::ModU));
    case ExprKind::FloorDiv:
      return i32 ? plain(Op::FloorDivI) : wrapped(pick(t, Op::FloorDivF, Op::FloorDivI, Op::DivU), t);
    case ExprKind::FloorMod:
      if (f) return std::nullopt;
      return plain(pick(t, Op::ModF, Op::FloorModI, Op::ModU));
    case ExprKind::Min: return plain(pick(t, Op::MinF, Op::MinI, Op::MinU));
    case ExprKind::Max: return plain(pick(t, Op::MaxF, Op::MaxI, Op::MaxU));
    case ExprKind::EQ: return plain(f ? Op::EqF : Op::EqI);
    case ExprKind::NE: return plain(f ? Op::NeF : Op::NeI);
    case ExprKind::LT: return plain(pick(t, Op::LtF, Op::LtI, Op::LtU));
    case ExprKind::LE: return plain(pick(t, Op::LeF, Op::LeI, Op::LeU));
    case ExprKind::GT: return plain(pick(t, Op::GtF, Op::GtI, Op::GtU));
    case ExprKind::GE: return plain(pick(t, Op::GeF, Op::GeI, Op::GeU));
    case ExprKind::And: return plain(Op::And);
    case ExprKind::Or: return plain(Op::Or);
    default: return std::nullopt;
  }
}

SelectedOperation chooseCast(DType from, DType to) {
  if (to.isFloat()) {
    // What float16 and bfloat16 share, and float8 with either, needn't be known: rounding what fits changes nothing.
    return rounded(from.isFloat() ? Op::Copy : isLong(from) ? Op::ToFloatU : Op::ToFloat, to);
  }
  if (to.isBool()) return {from.isFloat() ? Op::ToBoolF : Op::ToBoolI, {}, 0};
  if (from.isFloat()) {
    if (to.bits == 64) return {to.isUInt() ? Op::ToUInt64 : Op::ToInt64, {}, 0};
    if (to.bits == 32) return {to.isUInt() ? Op::ToUInt32 : Op::ToInt32, {}, 0};
    return wrapped(Op::ToInt32, to);
  }
  bool fits = from.isBool() || (from.bits <= to.bits && from.isUInt() == to.isUInt());
  return fits ? SelectedOperation{} : wrapped(Op::Copy, to);
}

Expr inOperations(const CallNode& call) {
  if (Expr simpler = expanded(call)) return simpler;
  if (call.op == "fma") return binary(ExprKind::Add, binary(ExprKind::Mul, call.args[0], call.args[1]), call.args[2]);
  if (call.op == "large_uint_imm") {
    const auto low = static_cast<std::uint64_t>(constantOr(call.args[0], 0)) & 0xffffffffu;
    const auto high = static_cast<std::uint64_t>(constantOr(call.args[1], 0));
    return intImm(static_cast<std::int64_t>(high << 32 | low), call.dtype);
  }
  if (call.op == "reinterpret" && call.dtype.isFloat() && call.args[0]->dtype.isFloat() &&
      call.dtype != call.args[0]->dtype) {
    Expr bits = ir::call(DType::Int(call.dtype.bits, call.dtype.lanes), call.op, {call.args[0]});
    return ir::call(call.dtype, call.op, {bits});
  }
  const ExternalFunction* f = externalFunctionOf(call);
  if (!f || f->row.empty()) return nullptr;
  std::vector<Expr> operands = operandsOf(call);
  const DType t = f->dtype.withLanes(call.dtype.lanes);
  Expr value = f->row == "min"      ? binary(ExprKind::Min, operands[0], operands[1])
               : f->row == "max"    ? binary(ExprKind::Max, operands[0], operands[1])
               : f->row == "divide" ? binary(ExprKind::Div, operands[0], operands[1])
               : f->row == "reciprocal"
                   ? binary(ExprKind::Div, one(t), operands[0])
                   : ir::call(f->row == "clz" ? DType::Int(32, t.lanes) : t, std::string(f->row), operands);
  return cast(call.dtype, value);
}

std::optional<SelectedOperation> chooseCall(const CallNode& call, std::vector<Expr>& operands) {
  operands = operandsOf(call);
  const DType t = call.dtype.element();
  if (operands.size() == 1 &&
      (call.op == "likely" || call.op == "tvm_thread_invariant" || call.op == "ignore_loop_partition"))
    return SelectedOperation{};
  if (operands.empty() || operands.size() > 2) return std::nullopt;
  const DType of = operands[0]->dtype.element();
  if (call.op == "reinterpret") return chooseReinterpret(of, t);
  if (call.op == "popcount") return SelectedOperation{Op::PopulationCount, {}, 0, of.bits};
  if (call.op == "clz") return SelectedOperation{Op::LeadingZeros, {}, 0, of.bits};
  if (auto bits = chooseBits(call)) return bits;
  auto found = kFunctions.find(call.op);
  if (found == kFunctions.end() || !of.isFloat() || operands.size() != std::size_t(found->second.arity)) {
    return std::nullopt;
  }
  Op op = found->second.op;
  if (op == Op::NextAfter && of.bits == 32) op = Op::NextAfterSingle;
  if (op == Op::Round && of.bits == 16) op = Op::NearbyInt;  // as CUDA's text says
  if (op == Op::Ldexp) operands[1] = cast(DType::Float(64, operands[1]->dtype.lanes), operands[1]);
  return t.isFloat() ? rounded(op, t) : SelectedOperation{op, {}, 0};
}

Message notExecutable(const CallNode& call) {
  const std::string_view external = externalName(call);
  return external.empty() ? message("T.{} is an operation that the executor doesn't have", call.op)
                          : message("T.{} of \"{}\" is an operation that the executor doesn't have", call.op, external);
}

}  // namespace loom::exec
