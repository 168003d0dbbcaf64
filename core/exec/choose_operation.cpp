#include "core/exec/choose_operation.h"

#include <unordered_map>

namespace loom::exec {
namespace {

using ir::DType;
using ir::ExprKind;

Chosen wrapped(Op op, DType t) {
  if (t.isBool()) return {op, Op::ToBoolI, 0};
  if (t.bits >= 64 || !t.isIntegral()) return {op, std::nullopt, 0};
  return {op, t.isUInt() ? Op::WrapUnsigned : Op::WrapSigned, t.bits};
}

}  // namespace

std::optional<Chosen> chooseBinary(ExprKind kind, DType t) {
  const bool f = t.isFloat(), i32 = t.isInt() && t.bits == 32;
  switch (kind) {
    case ExprKind::Add: return f ? Chosen{Op::AddF, {}, 0} : i32 ? Chosen{Op::AddI32, {}, 0} : wrapped(Op::AddI, t);
    case ExprKind::Sub: return f ? Chosen{Op::SubF, {}, 0} : i32 ? Chosen{Op::SubI32, {}, 0} : wrapped(Op::SubI, t);
    case ExprKind::Mul: return f ? Chosen{Op::MulF, {}, 0} : i32 ? Chosen{Op::MulI32, {}, 0} : wrapped(Op::MulI, t);
    case ExprKind::Div: return Chosen{f ? Op::DivF : Op::DivI, {}, 0};
    case ExprKind::Mod: return Chosen{f ? Op::ModF : Op::ModI, {}, 0};
    case ExprKind::FloorDiv: return Chosen{f ? Op::FloorDivF : Op::FloorDivI, {}, 0};
    case ExprKind::FloorMod:
      if (f) return std::nullopt;
      return Chosen{Op::FloorModI, {}, 0};
    case ExprKind::Min: return Chosen{f ? Op::MinF : Op::MinI, {}, 0};
    case ExprKind::Max: return Chosen{f ? Op::MaxF : Op::MaxI, {}, 0};
    case ExprKind::EQ: return Chosen{f ? Op::EqF : Op::EqI, {}, 0};
    case ExprKind::NE: return Chosen{f ? Op::NeF : Op::NeI, {}, 0};
    case ExprKind::LT: return Chosen{f ? Op::LtF : Op::LtI, {}, 0};
    case ExprKind::LE: return Chosen{f ? Op::LeF : Op::LeI, {}, 0};
    case ExprKind::GT: return Chosen{f ? Op::GtF : Op::GtI, {}, 0};
    case ExprKind::GE: return Chosen{f ? Op::GeF : Op::GeI, {}, 0};
    case ExprKind::And: return Chosen{Op::And, {}, 0};
    case ExprKind::Or: return Chosen{Op::Or, {}, 0};
    default: return std::nullopt;
  }
}

Chosen chooseCast(DType from, DType to) {
  if (to.isFloat()) return {from.isFloat() ? Op::Copy : Op::ToFloat, {}, 0};
  if (to.isBool()) return {from.isFloat() ? Op::ToBoolF : Op::ToBoolI, {}, 0};
  if (from.isFloat()) return wrapped(Op::ToInt, to);
  bool fits = from.isBool() || (from.bits <= to.bits && from.isUInt() == to.isUInt());
  return fits ? Chosen{} : wrapped(Op::Copy, to);
}

std::optional<Chosen> chooseCall(const std::string& op, std::size_t arguments, DType result) {
  static const std::unordered_map<std::string, Op> kUnary = {
      {"exp", Op::Exp},     {"exp2", Op::Exp2},       {"log", Op::Log},     {"log2", Op::Log2},
      {"sqrt", Op::Sqrt},   {"rsqrt", Op::Rsqrt},     {"sin", Op::Sin},     {"cos", Op::Cos},
      {"tanh", Op::Tanh},   {"erf", Op::Erf},         {"floor", Op::Floor}, {"ceil", Op::Ceil},
      {"trunc", Op::Trunc}, {"sigmoid", Op::Sigmoid}, {"round", Op::Round}, {"nearbyint", Op::Round}};
  static const std::unordered_map<std::string, Op> kBits = {{"bitwise_and", Op::BitAnd},
                                                            {"bitwise_or", Op::BitOr},
                                                            {"bitwise_xor", Op::BitXor},
                                                            {"shift_left", Op::ShiftLeft},
                                                            {"shift_right", Op::ShiftRight}};
  if (arguments == 1) {
    if (op == "likely") return Chosen{};
    if (op == "bitwise_not") return wrapped(Op::BitNot, result);
    if (op == "fabs" || op == "abs") return result.isFloat() ? Chosen{Op::AbsF, {}, 0} : wrapped(Op::AbsI, result);
    if (auto found = kUnary.find(op); found != kUnary.end() && result.isFloat()) return Chosen{found->second, {}, 0};
  } else if (arguments == 2) {
    if (auto found = kBits.find(op); found != kBits.end()) return wrapped(found->second, result);
    if (op == "pow" && result.isFloat()) return Chosen{Op::PowF, {}, 0};
  }
  return std::nullopt;
}

}  // namespace loom::exec
