// The calls among expressions, and what keeps narrow types' values in C++, which computes with wider ones.
#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/codegen/expression.h"
#include "core/codegen/operation_text.h"
#include "core/codegen/precedence.h"
#include "core/device/cluster_memory.h"
#include "core/device/half_pairs.h"
#include "core/ir/called.h"

namespace loom::codegen {

using namespace ir;

std::string ExpressionPrinter::converted(DType t, const std::string& text, int level, int outer) const {
  std::string type = typeName(t.element());
  // A type of one word converts like a function; "long long" must not.
  if (type.find(' ') == std::string::npos) return type + "(" + text + ")";
  return wrap("(" + type + ")" + wrap(text, level, kUnary), kUnary, outer);
}

std::string ExpressionPrinter::asFloat(const Expr& e, int outer) {
  const DType t = e->dtype.element();
  if (t == DType::Float(32)) return print(e, outer);
  if (e->kind == ExprKind::FloatImm) {  // as written, where the narrow type holds it
    double value = as<FloatImmNode>(e)->value;
    const int bits = t.code == DType::Code::Float ? 11 : t.code == DType::Code::BFloat ? 8 : 3;
    int exponent = 0;
    double digits = std::ldexp(std::frexp(value, &exponent), bits);
    bool held = std::isfinite(value) && digits == std::floor(digits) && std::abs(value) <= 256 &&
                (value == 0 || std::abs(value) >= 0x1p-6);
    if (held) return wrap(floatLiteral(value, DType::Float(32)), value < 0 ? kUnary : kPrimary, outer);
  }
  return "float(" + print(e) + ")";
}

bool ExpressionPrinter::mayExceed(const Expr& e) const {
  const DType t = e->dtype.element();
  if (!t.isBool() && !(t.isIntegral() && t.bits < 32)) return false;
  switch (e->kind) {
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:  // -128 / -1
    case ExprKind::FloorDiv: return true;
    case ExprKind::Broadcast: return mayExceed(as<BroadcastNode>(e)->value);
    case ExprKind::Select: return mayExceed(as<SelectNode>(e)->yes) || mayExceed(as<SelectNode>(e)->no);
    case ExprKind::Call: {
      const auto& n = *as<CallNode>(e);
      if (n.op == "shift_left") return true;
      if (n.op == "bitwise_not") return t.isUInt() || mayExceed(n.args[0]);
      if (n.op == "if_then_else") return mayExceed(n.args[1]) || mayExceed(n.args[2]);
      if (!n.op.starts_with("bitwise_") && n.op != "tvm_thread_invariant") return false;
      return std::any_of(n.args.begin(), n.args.end(), [this](const Expr& a) { return mayExceed(a); });
    }
    default: return false;
  }
}

std::string ExpressionPrinter::exact(const Expr& e, int outer) {
  if (!mayExceed(e)) return print(e, outer);
  const bool word = typeName(e->dtype.element()).find(' ') == std::string::npos;
  return converted(e->dtype, print(e, word ? kNone : kUnary), kPrimary, outer);
}

std::string ExpressionPrinter::ofFloats(const CallNode& n, const OperationText& row) {
  const std::vector<Expr> operands = operandsOf(n);
  const DType t = operands[0]->dtype.element();
  const bool halves = kindOf(t) == kHalves, narrow = halves || kindOf(t) == kFloat8;
  const bool own = halves && !row.ownHalf.empty();
  std::string_view text = own                                          ? row.ownHalf
                          : halves && !row.half.empty()                ? row.half
                          : kindOf(t) == kSingleDouble && t.bits == 64 ? row.twofold
                                                                       : row.single;
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const Expr& e : operands) {
    const bool float32 = narrow && !own && e->dtype.isFloat();
    store.push_back(float32 ? asFloat(e, kNone) : exact(e, kNone));
  }
  std::string made = fmt::vformat(fmt::string_view(text.data(), text.size()), store);
  return narrow && !own && n.dtype.isFloat() ? converted(n.dtype, made, kPrimary, kPrimary) : made;
}

std::string ExpressionPrinter::ofIntegers(const CallNode& n, const OperationText& row, int outer) {
  const DType t = n.args[0]->dtype.element();
  std::string x = exact(n.args[0], kNone);
  if (t.bits < 32 && t.isInt()) x = converted(DType::UInt(t.bits), exact(n.args[0], kUnary), kPrimary, kNone);
  std::string_view text = t.bits == 64 ? row.whole64 : row.whole;
  std::string made = fmt::format(fmt::runtime(fmt::string_view(text.data(), text.size())), x);
  // The leading zeros of 32 bits are those of a narrower number and of what it was extended by.
  if (n.op == "clz" && t.bits < 32) return wrap(fmt::format("{} - {}", made, 32 - t.bits), kSum, outer);
  if (n.dtype.element() == DType::Int(32)) return made;
  return converted(n.dtype, made, kPrimary, outer);
}

std::string ExpressionPrinter::bits(const CallNode& n, int outer) {
  if (n.op == "bitwise_not") {
    const char* sign = n.dtype.isBool() ? "!" : "~";
    return wrap(sign + (n.dtype.isBool() ? exact(n.args[0], kUnary) : print(n.args[0], kUnary)), kUnary, outer);
  }
  const char* op = n.op == "bitwise_and"   ? " & "
                   : n.op == "bitwise_or"  ? " | "
                   : n.op == "bitwise_xor" ? " ^ "
                   : n.op == "shift_left"  ? " << "
                                           : " >> ";
  const bool shift = n.op.starts_with("shift_");
  std::string a = n.op == "shift_right" ? exact(n.args[0], kProduct) : print(n.args[0], kProduct);
  std::string b = shift ? exact(n.args[1], kProduct) : print(n.args[1], kProduct);
  return "(" + a + op + b + ")";
}

// Scalars as a pair, or the one of the lane that is printed: which one that is, the compiler knows of each turn of the
// loop over lanes.
std::string ExpressionPrinter::gathered(const CallNode& n, int outer) {
  if (pairs_) {
    return fmt::format("{}({}, {})", pairTypeName(n.dtype.element()), print(n.args.at(0)), print(n.args.at(1)));
  }
  std::string chosen;
  for (std::size_t i = 0; i + 1 < n.args.size(); ++i)
    chosen += fmt::format("{} == {} ? {} : ", lane_, i, print(n.args[i], kConditional + 1));
  return wrap(chosen + print(n.args.back(), kConditional), n.args.size() > 1 ? kConditional : kPrimary, outer);
}

std::string ExpressionPrinter::call(const CallNode& n, int outer) {
  if (const auto other = device::loadInBlock(n)) {
    if (laneLoad_ && n.dtype.lanes > 1) return laneLoad_(other->load);
    return fmt::format("cluster_load{}<{}>(&{}, {})", n.dtype.lanes == 1 && n.dtype.bytes() == 1 ? "_byte" : "",
                       typeName(n.dtype), print(n.args[0]), print(other->block));
  }
  if (n.op == device::kGathered) return gathered(n, outer);
  if (Expr simpler = expanded(n)) return print(simpler, outer);
  if (n.op == "if_then_else") {
    return wrap(print(n.args[0], kConditional + 1) + " ? " + print(n.args[1], kConditional + 1) + " : " +
                    print(n.args[2], kConditional),
                kConditional, outer);
  }
  if (n.op == "likely" || n.op == "tvm_thread_invariant" || n.op == "ignore_loop_partition") {
    return print(n.args[0], outer);
  }
  if (n.op == "large_uint_imm") {
    auto part = [&](int i) { return static_cast<std::uint64_t>(constantOr(n.args[i], 0)) & 0xffffffffu; };
    return fmt::format("{}ull", part(1) << 32 | part(0));
  }
  if (n.op == "reinterpret") {
    const Expr& x = n.args[0];
    std::string text = reinterpretText(x->dtype, n.dtype);
    if (text.empty()) return converted(n.dtype, print(x, kUnary), kPrimary, outer);
    std::string made = fmt::format(fmt::runtime(text), exact(x, kNone));
    return text.front() == '(' ? wrap(made, kUnary, outer) : made;
  }
  if (n.op.starts_with("bitwise_") || n.op.starts_with("shift_")) return bits(n, outer);
  if (auto* row = findOperationText(n.op)) return row->single.empty() ? ofIntegers(n, *row, outer) : ofFloats(n, *row);
  std::string args;
  for (const Expr& e : operandsOf(n)) args += (args.empty() ? "" : ", ") + exact(e, kNone);
  // Which of its overloads is meant must not hang on how a constant is written.
  if (isCallOf(n, "__dp4a") && n.dtype.isUInt() && asInt(n.args.back())) args += "u";
  return std::string(externalName(n)) + "(" + args + ")";
}

}  // namespace loom::codegen
