#include "core/script/scalar_calls.h"

#include <limits>

#include "core/ir/build.h"
#include "core/ir/operation.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

namespace {

// Operands' names in TVM's Python functions.
std::string operandName(const ir::Operation& o, std::size_t i) {
  const bool plain = o.name == "fmod" || o.name == "q_multiply_shift";
  if (o.name == "reinterpret") return "value";
  if (o.arity == 2 && !plain) return "x" + std::to_string(i + 1);
  constexpr const char* kNames[] = {"x", "y", "q", "s"};
  constexpr const char* kPerAxis[] = {"x", "y", "ls", "rs", "q", "is_lshift_required", "is_rshift_required"};
  return o.arity == 7 ? kPerAxis[i] : kNames[i];
}

bool isTest(const std::string& name) { return name == "isnan" || name == "isinf" || name == "isfinite"; }

// TVM writes the tests of floats with T.isnan and comparisons; integers and constants are decided at once.
Expr test(const std::string& name, const Expr& x, Evaluator& evaluator, const Node& at) {
  DType t = x->dtype.element();
  if (t.isIntegral() || t.isBool()) return ir::boolImm(name == "isfinite");
  if (t.code != DType::Code::Float) evaluator.refuse(at, message("T.{} does not take {}", name, t.str()));
  if (name == "isnan") {
    if (x->kind == ExprKind::FloatImm) {
      double v = ir::as<ir::FloatImmNode>(x)->value;
      return ir::boolImm(v != v);
    }
    Expr wide = t.bits == 16 ? ir::cast(DType::Float(32, x->dtype.lanes), x) : x;
    return ir::call(DType::Bool(x->dtype.lanes), "isnan", {wide});
  }
  Expr nan = test("isnan", x, evaluator, at);
  const Expr infinity = ir::constant(x->dtype, std::numeric_limits<double>::infinity());
  Expr size = x->kind == ExprKind::FloatImm ? ir::floatImm(std::abs(ir::as<ir::FloatImmNode>(x)->value), t)
                                            : ir::call(x->dtype, "fabs", {x});
  Expr infinite = ir::andOf(ir::eq(size, infinity), ir::notOf(nan));
  return name == "isinf" ? infinite : ir::andOf(ir::notOf(infinite), ir::notOf(nan));
}

}  // namespace

std::optional<Value> scalarCall(const std::string& name, Evaluator& evaluator, Arguments& arguments) {
  const ir::Operation* o = ir::findOperation(name);
  if (!o || o->arity < 0 || name == "if_then_else" || name == "likely") return std::nullopt;
  const Node& at = arguments.node;
  std::size_t first = 0;
  DType t = o->dtype;
  if (o->result == ir::Operation::Result::Named && name == "reinterpret") t = arguments.dtype(first++, "dtype");
  auto given = [&](std::size_t i) { return arguments.find(first + i, operandName(*o, i)) != nullptr; };
  bool whole = arguments.count() <= first + std::size_t(o->arity);
  for (std::size_t i = 0; i < std::size_t(o->arity); ++i) whole = whole && given(i);
  if (!whole) {
    const std::size_t found = arguments.count() - std::min(first, arguments.count());
    evaluator.refuse(at, o->arity == 1 ? message("T.{} takes 1 operand, found {}", name, found)
                                       : message("T.{} takes {} operands, found {}", name, o->arity, found));
  }
  std::vector<Expr> operands;
  for (std::size_t i = 0; i < std::size_t(o->arity); ++i) {
    operands.push_back(arguments.expr(first + i, operandName(*o, i)));
  }
  if (isTest(name)) return Value{test(name, operands[0], evaluator, at)};
  if (name == "bitwise_not") {
    const DType of = operands[0]->dtype;
    if (!of.isIntegral() && !of.isBool())
      evaluator.refuse(at, message("T.bitwise_not needs an integer, found {}", of.str()));
  }
  if (name == "reinterpret") {
    const DType from = operands[0]->dtype;
    if (t == from) return Value{operands[0]};
    if (t.bits * t.lanes != from.bits * from.lanes) {
      evaluator.refuse(at, message("T.reinterpret needs dtypes of one size, found {} and {}", from.str(), t.str()));
    }
  }
  if (o->result == ir::Operation::Result::Like || name == "large_uint_imm") {
    t = name == "large_uint_imm" ? DType::UInt(64) : operands[0]->dtype;
  }
  return Value{ir::call(t, std::string(o->name), std::move(operands))};
}

}  // namespace loom::script
