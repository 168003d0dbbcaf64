#include "core/codegen/expression.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "core/ir/build.h"
#include "core/ir/called.h"

namespace loom::codegen {
namespace {

using namespace ir;

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
  const bool external = call.op == "call_extern" || call.op == "call_pure_extern";
  if (!external) return {call.op, call.op + "f"};
  auto* name =
      call.args.empty() || call.args[0]->kind != ExprKind::StringImm ? nullptr : as<StringImmNode>(call.args[0]);
  return name ? std::set<std::string>{name->value} : std::set<std::string>{};
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

std::string ExpressionPrinter::division(const BinaryNode& n, int outer) {
  auto* c = asInt(n.b);
  bool exact = neverNegative(n.a) && neverNegative(n.b);
  bool quotient = n.kind == ExprKind::FloorDiv;
  // An arithmetic shift and a mask are floor division by a power of two, also of negative numbers.
  if (c && isPowerOfTwo(c->value)) {
    int shift = std::countr_zero(static_cast<std::uint64_t>(c->value));
    // Arithmetic inside a shift or mask is right without parentheses, but nobody reads it so.
    std::string a = print(n.a, kUnary);
    if (quotient) return wrap(a + " >> " + std::to_string(shift), kShift, outer);
    return wrap(a + " & " + std::to_string(c->value - 1), kBitAnd, outer);
  }
  if (exact) {
    return wrap(print(n.a, kProduct) + (quotient ? " / " : " % ") + print(n.b, kProduct + 1), kProduct, outer);
  }
  // a may be negative, b is positive: shift a by a multiple of b first is impossible without bounds, so round down by
  // hand.
  std::string a = print(n.a, kProduct), b = print(n.b, kProduct + 1);
  if (quotient) return wrap(fmt::format("({0} - (({0} % {1} + {1}) % {1})) / {1}", a, b), kProduct, outer);
  return wrap(fmt::format("({0} % {1} + {1}) % {1}", a, b), kProduct, outer);
}

std::string ExpressionPrinter::binary(const BinaryNode& n, int outer) {
  switch (n.kind) {
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod:
      if (n.dtype.isFloat()) break;
      return division(n, outer);
    case ExprKind::Min:
    case ExprKind::Max: {
      bool least = n.kind == ExprKind::Min;
      DType t = n.dtype.element();
      const char* f = t == DType::Float(32)   ? (least ? "fminf" : "fmaxf")
                      : t == DType::Float(64) ? (least ? "fmin" : "fmax")
                      : t.isFloat()           ? (least ? "__hmin" : "__hmax")
                                              : (least ? "min" : "max");
      return fmt::format("{}({}, {})", f, print(n.a), print(n.b));
    }
    default: break;
  }
  Operator op = operatorOf(n.kind);
  // `a + -3` reads better, and means the same, as `a - 3`.
  if (n.kind == ExprKind::Add) {
    if (auto* c = asInt(n.b); c && c->value < 0 && c->value != std::numeric_limits<std::int64_t>::min()) {
      return wrap(print(n.a, op.level) + " - " + std::to_string(-c->value), op.level, outer);
    }
  }
  return wrap(print(n.a, op.level) + op.text + print(n.b, op.level + 1), op.level, outer);
}

std::string ExpressionPrinter::call(const CallNode& n, int outer) {
  if (n.op == "if_then_else" && n.args.size() == 3) {
    return wrap(print(n.args[0], kConditional + 1) + " ? " + print(n.args[1], kConditional + 1) + " : " +
                    print(n.args[2], kConditional),
                kConditional, outer);
  }
  if (n.op == "likely" && n.args.size() == 1) return print(n.args[0], outer);
  static const std::unordered_map<std::string, std::string> kBits = {{"bitwise_and", " & "},
                                                                     {"bitwise_or", " | "},
                                                                     {"bitwise_xor", " ^ "},
                                                                     {"shift_left", " << "},
                                                                     {"shift_right", " >> "}};
  if (auto bit = kBits.find(n.op); bit != kBits.end() && n.args.size() == 2) {
    return "(" + print(n.args[0], kProduct) + bit->second + print(n.args[1], kProduct) + ")";
  }
  std::string args;
  std::size_t first = n.op == "call_extern" || n.op == "call_pure_extern" ? 1 : 0;
  for (std::size_t i = first; i < n.args.size(); ++i) args += (args.empty() ? "" : ", ") + print(n.args[i]);
  // Which of its overloads is meant must not hang on how a constant is written.
  if (isCallOf(n, "__dp4a") && n.dtype.isUInt() && asInt(n.args.back())) args += "u";
  std::string name = n.op;
  if (first == 1) name = as<StringImmNode>(n.args[0])->value;
  DType t = n.dtype.element();
  if (first == 0 && n.dtype.isFloat()) {
    if (name == "fabs" || name == "abs") name = "fabs";
    if (t == DType::Float(32)) {
      name += "f";
    } else if (t.bits == 16) {
      return fmt::format("{}({}f({}))", typeName(t), name, fmt::format("float({})", args));
    }
  }
  return name + "(" + args + ")";
}

std::string ExpressionPrinter::print(const Expr& e, int outer) {
  if (auto* b = asBinary(e)) return binary(*b, outer);
  switch (e->kind) {
    case ExprKind::Var: return var_(as<VarNode>(e));
    case ExprKind::IntImm: {
      std::int64_t value = as<IntImmNode>(e)->value;
      if (e->dtype.isBool()) return value ? "true" : "false";
      std::string text = std::to_string(value);
      if (e->dtype.bits == 64) text += e->dtype.isUInt() ? "ull" : "ll";
      return value < 0 ? wrap(text, kUnary, outer) : text;
    }
    case ExprKind::FloatImm: {
      double value = as<FloatImmNode>(e)->value;
      return value < 0 ? wrap(floatLiteral(value, e->dtype), kUnary, outer) : floatLiteral(value, e->dtype);
    }
    case ExprKind::StringImm: return '"' + as<StringImmNode>(e)->value + '"';
    case ExprKind::Not: return wrap("!" + print(as<NotNode>(e)->a, kUnary), kUnary, outer);
    case ExprKind::Cast: {
      const auto& value = as<CastNode>(e)->value;
      if (value->dtype.element() == e->dtype.element()) return print(value, outer);
      std::string type = typeName(e->dtype.element());
      // A type of one word converts like a function; "long long" must not.
      if (type.find(' ') == std::string::npos) return type + "(" + print(value) + ")";
      return wrap("(" + type + ")" + print(value, kUnary), kUnary, outer);
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
    case ExprKind::Broadcast: return print(as<BroadcastNode>(e)->value, outer);
    default: return "/* no C++ form */";
  }
}

}  // namespace loom::codegen
