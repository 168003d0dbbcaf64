#include "core/codegen/expression.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "core/codegen/operation_text.h"
#include "core/codegen/precedence.h"
#include "core/ir/build.h"
#include "core/ir/called.h"

namespace loom::codegen {
namespace {

using namespace ir;

struct Operator {
  const char* text;
  int level;
};
Operator operatorOf(ExprKind k) {
  switch (k) {
    case ExprKind::Add: return {" + ", kSum};
    case ExprKind::Sub: return {" - ", kSum};
    case ExprKind::Mul: return {" * ", kProduct};
    case ExprKind::Div: return {" / ", kProduct};
    case ExprKind::Mod: return {" % ", kProduct};
    case ExprKind::EQ: return {" == ", kEquality};
    case ExprKind::NE: return {" != ", kEquality};
    case ExprKind::LT: return {" < ", kRelation};
    case ExprKind::LE: return {" <= ", kRelation};
    case ExprKind::GT: return {" > ", kRelation};
    case ExprKind::GE: return {" >= ", kRelation};
    case ExprKind::And: return {" && ", kAnd};
    case ExprKind::Or: return {" || ", kOr};
    default: return {" ? ", kNone};
  }
}

bool isPowerOfTwo(std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); }

}  // namespace

std::string typeName(DType t) {
  switch (t.code) {
    case DType::Code::Float: return t.bits == 16 ? "half" : t.bits == 32 ? "float" : "double";
    case DType::Code::BFloat: return "__nv_bfloat16";
    case DType::Code::E4M3: return "__nv_fp8_e4m3";
    case DType::Code::E5M2: return "__nv_fp8_e5m2";
    case DType::Code::Bool: return "bool";
    case DType::Code::Int:
      return t.bits == 8 ? "signed char" : t.bits == 16 ? "short" : t.bits == 32 ? "int" : "long long";
    case DType::Code::UInt:
      return t.bits == 8    ? "unsigned char"
             : t.bits == 16 ? "unsigned short"
             : t.bits == 32 ? "unsigned"
                            : "unsigned long long";
    case DType::Code::Handle: return "void*";
    case DType::Code::Void: return "void";
  }
  return "void";
}

std::string vectorTypeName(DType element, int bytes) {
  bool single = element == DType::Float(32);
  switch (bytes) {
    case 16: return single ? "float4" : "uint4";
    case 8: return single ? "float2" : "uint2";
    case 4: return single ? "float" : "unsigned";
    case 2: return "unsigned short";
    default: return typeName(element);
  }
}

std::string pairTypeName(DType element) { return element.code == DType::Code::BFloat ? "__nv_bfloat162" : "half2"; }

std::string floatLiteral(double value, DType dtype) {
  std::string digits;
  if (std::isinf(value) || std::isnan(value)) {
    digits = std::isnan(value) ? "__int_as_float(0x7fc00000)"
             : value > 0       ? "__int_as_float(0x7f800000)"
                               : "__int_as_float(0xff800000)";
    if (dtype == DType::Float(32)) return digits;
    return fmt::format("{}({})", typeName(dtype), digits);
  }
  digits = fmt::format("{}", dtype == DType::Float(64) ? value : double(float(value)));
  if (dtype != DType::Float(64)) digits = fmt::format("{}", float(value));
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  if (dtype == DType::Float(64)) return digits;
  if (dtype == DType::Float(32)) return digits + "f";
  return fmt::format("{}({}f)", typeName(dtype), digits);
}

std::set<std::string> calledNames(const ir::CallNode& call) {
  if (isExternalCall(call)) return {std::string(externalName(call))};
  std::set<std::string> names{call.op, call.op + "f"};
  if (auto* row = findOperationText(call.op)) {
    for (auto text : {row->single, row->twofold, row->whole, row->whole64, row->half, row->ownHalf}) {
      names.merge(functionsIn(text));
    }
  }
  return names;
}

std::string ExpressionPrinter::wrap(std::string text, int own, int outer) const {
  return own < outer ? "(" + std::move(text) + ")" : std::move(text);
}

std::string ExpressionPrinter::printLane(const Expr& e, const std::string& lane, const LaneName& loads,
                                         int precedence) {
  lane_ = lane;
  laneLoad_ = loads;
  std::string text = print(e, precedence);
  lane_.clear();
  laneLoad_ = nullptr;
  return text;
}

std::string ExpressionPrinter::printPairs(const Expr& e, const LaneName& loads, int precedence) {
  laneLoad_ = loads;
  pairs_ = true;
  std::string text = print(e, precedence);
  pairs_ = false;
  laneLoad_ = nullptr;
  return text;
}

// What both lanes have.
std::string ExpressionPrinter::pairOfOne(const Expr& value) {
  const bool brain = value->dtype.element().code == DType::Code::BFloat;
  return fmt::format("{}({})", brain ? "__bfloat162bfloat162" : "__half2half2", print(value));
}

std::string ExpressionPrinter::division(const BinaryNode& n, int outer) {
  auto* c = asInt(n.b);
  bool plain = neverNegative(n.a) && neverNegative(n.b);
  bool quotient = n.kind == ExprKind::FloorDiv;
  // An arithmetic shift and a mask are floor division by a power of two, also of negative numbers.
  if (c && isPowerOfTwo(c->value)) {
    int shift = std::countr_zero(static_cast<std::uint64_t>(c->value));
    // Arithmetic inside a shift or mask is right without parentheses, but nobody reads it so.
    std::string a = exact(n.a, kUnary);
    if (quotient) return wrap(a + " >> " + std::to_string(shift), kShift, outer);
    return wrap(a + " & " + std::to_string(c->value - 1), kBitAnd, outer);
  }
  if (plain) {
    return wrap(exact(n.a, kProduct) + (quotient ? " / " : " % ") + exact(n.b, kProduct + 1), kProduct, outer);
  }
  // Round down by hand: of numbers so far from the type's ends that the sums stay within it, by moving the remainder to
  // the divisor's side; of others, by comparing signs.
  std::string a = exact(n.a, kProduct), b = exact(n.b, kProduct + 1);
  if (!small(n.a) || !small(n.b)) {
    const bool positive = analyzer_.constIntBound(n.b).min > 0;
    std::string off = positive ? fmt::format("{0} % {1} < 0", a, b)
                               : fmt::format("{0} % {1} != 0 && ({0} % {1} < 0) != ({1} < 0)", a, b);
    if (quotient) return wrap(fmt::format("{0} / {1} - ({2})", a, b, off), kSum, outer);
    return wrap(fmt::format("{0} % {1} + ({2} ? {1} : 0)", a, b, off), kSum, outer);
  }
  if (quotient) return wrap(fmt::format("({0} - (({0} % {1} + {1}) % {1})) / {1}", a, b), kProduct, outer);
  return wrap(fmt::format("({0} % {1} + {1}) % {1}", a, b), kProduct, outer);
}

std::string ExpressionPrinter::binary(const BinaryNode& n, int outer) {
  const DType t = n.a->dtype.element();
  if (kindOf(t) == kFloat8) return ofFloat8(n, outer);
  switch (n.kind) {
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod: return division(n, outer);
    case ExprKind::Min:
    case ExprKind::Max: {
      bool least = n.kind == ExprKind::Min;
      const char* f = t == DType::Float(32)   ? (least ? "fminf" : "fmaxf")
                      : t == DType::Float(64) ? (least ? "fmin" : "fmax")
                      : t.isFloat()           ? (least ? "__hmin" : "__hmax")
                                              : (least ? "min" : "max");
      return fmt::format("{}({}, {})", f, exact(n.a, kNone), exact(n.b, kNone));
    }
    case ExprKind::Mod:
      if (t == DType::Float(64)) return fmt::format("fmod({}, {})", print(n.a), print(n.b));
      if (t.isFloat()) {
        std::string made = fmt::format("fmodf({}, {})", asFloat(n.a, kNone), asFloat(n.b, kNone));
        return t.bits == 32 ? made : converted(t, made, kPrimary, outer);
      }
      break;
    default: break;
  }
  Operator op = operatorOf(n.kind);
  // `a + -3` reads better, and means the same, as `a - 3`.
  if (n.kind == ExprKind::Add) {
    if (auto* c = asInt(n.b); c && c->value < 0 && c->value != std::numeric_limits<std::int64_t>::min()) {
      return wrap(print(n.a, op.level) + " - " + std::to_string(-c->value), op.level, outer);
    }
  }
  // What a sum of narrow integers has beyond their type is cut off where it is stored, and before it changes a value.
  const bool wraps = n.kind == ExprKind::Add || n.kind == ExprKind::Sub || n.kind == ExprKind::Mul;
  if (wraps) return wrap(print(n.a, op.level) + op.text + print(n.b, op.level + 1), op.level, outer);
  return wrap(exact(n.a, op.level) + op.text + exact(n.b, op.level + 1), op.level, outer);
}

// CUDA has no arithmetic of float8.
std::string ExpressionPrinter::ofFloat8(const BinaryNode& n, int outer) {
  auto call = [&](const char* f) { return fmt::format("{}({}, {})", f, asFloat(n.a, kNone), asFloat(n.b, kNone)); };
  Operator op = operatorOf(n.kind);
  std::string made = n.kind == ExprKind::Min   ? call("fminf")
                     : n.kind == ExprKind::Max ? call("fmaxf")
                     : n.kind == ExprKind::Mod ? call("fmodf")
                                               : asFloat(n.a, op.level) + op.text + asFloat(n.b, op.level + 1);
  if (isComparison(n.kind)) return wrap(made, op.level, outer);
  return converted(n.dtype, made, kPrimary, outer);
}

std::string ExpressionPrinter::cast(const Expr& value, DType to, int outer) {
  // The two have no conversion between them.
  const bool both = kindOf(to) == kFloat8 && kindOf(value->dtype) == kFloat8;
  if (both) return converted(to, asFloat(value, kNone), kPrimary, outer);
  return converted(to, exact(value, typeName(to).find(' ') == std::string::npos ? kNone : kUnary), kPrimary, outer);
}

std::string ExpressionPrinter::print(const Expr& e, int outer) {
  if (!named_.empty())
    if (const auto known = named_.find(e.get()); known != named_.end()) return known->second;
  if (auto* b = asBinary(e)) return binary(*b, outer);
  switch (e->kind) {
    case ExprKind::Var: return var_(as<VarNode>(e));
    case ExprKind::IntImm: {
      std::int64_t value = as<IntImmNode>(e)->value;
      if (e->dtype.isBool()) return value ? "true" : "false";
      const bool wide = e->dtype.bits == 64;
      // The literals of the least numbers would be one more than the type holds, negated.
      if (wide && value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807ll - 1)";
      if (!wide && value == std::numeric_limits<std::int32_t>::min()) return "(-2147483647 - 1)";
      std::string text = std::to_string(value);
      if (wide) text += e->dtype.isUInt() ? "ull" : "ll";
      if (!wide && value > std::numeric_limits<std::int32_t>::max()) text += "u";
      return value < 0 ? wrap(text, kUnary, outer) : text;
    }
    case ExprKind::FloatImm: {
      double value = as<FloatImmNode>(e)->value;
      return value < 0 ? wrap(floatLiteral(value, e->dtype), kUnary, outer) : floatLiteral(value, e->dtype);
    }
    case ExprKind::StringImm: return '"' + as<StringImmNode>(e)->value + '"';
    case ExprKind::Not: return wrap("!" + exact(as<NotNode>(e)->a, kUnary), kUnary, outer);
    case ExprKind::Cast: {
      const auto& value = as<CastNode>(e)->value;
      if (value->dtype.element() == e->dtype.element()) return print(value, outer);
      return cast(value, e->dtype.element(), outer);
    }
    case ExprKind::Select: {
      const auto& n = *as<SelectNode>(e);
      return wrap(print(n.condition, kConditional + 1) + " ? " + print(n.yes, kConditional + 1) + " : " +
                      print(n.no, kConditional),
                  kConditional, outer);
    }
    case ExprKind::Load: {
      const auto& n = *as<LoadNode>(e);
      if (laneLoad_ && n.dtype.lanes > 1) return laneLoad_(&n);
      if (n.indices[0]->kind == ExprKind::Ramp) {  // four 8-bit numbers, in one register
        const std::string first = print(as<RampNode>(n.indices[0])->base);
        return fmt::format("*reinterpret_cast<const {}*>(&{}[{}])", n.dtype.isUInt() ? "unsigned int" : "int",
                           buffer_(n.buffer.get()), first);
      }
      return buffer_(n.buffer.get()) + "[" + print(n.indices[0]) + "]";
    }
    case ExprKind::Call: return call(*as<CallNode>(e), outer);
    case ExprKind::Ramp: {
      const auto& n = *as<RampNode>(e);
      std::string step = isConst(n.stride, 1) ? lane_ : lane_ + " * " + print(n.stride, kProduct + 1);
      if (isConst(n.base, 0)) return isConst(n.stride, 1) ? step : wrap(step, kProduct, outer);
      return wrap(print(n.base, kSum) + " + " + step, kSum, outer);
    }
    case ExprKind::Broadcast:
      return pairs_ ? pairOfOne(as<BroadcastNode>(e)->value) : print(as<BroadcastNode>(e)->value, outer);
    default: return "/* no C++ form */";
  }
}

}  // namespace loom::codegen
