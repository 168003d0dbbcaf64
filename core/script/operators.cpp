#include <cmath>
#include <limits>

#include "core/ir/build.h"
#include "core/script/evaluator.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

namespace {

std::optional<ExprKind> arithmeticKind(const std::string& op) {
  if (op == "+") return ExprKind::Add;
  if (op == "-") return ExprKind::Sub;
  if (op == "*") return ExprKind::Mul;
  if (op == "/") return ExprKind::Div;
  if (op == "//") return ExprKind::FloorDiv;
  if (op == "%") return ExprKind::FloorMod;
  return std::nullopt;
}

std::optional<ExprKind> comparisonKind(const std::string& op) {
  if (op == "==") return ExprKind::EQ;
  if (op == "!=") return ExprKind::NE;
  if (op == "<") return ExprKind::LT;
  if (op == "<=") return ExprKind::LE;
  if (op == ">") return ExprKind::GT;
  if (op == ">=") return ExprKind::GE;
  return std::nullopt;
}

double realOf(const Value& v) {
  if (auto* b = v.get<bool>()) return *b;
  if (auto* i = v.get<std::int64_t>()) return static_cast<double>(*i);
  return *v.get<double>();
}

// Nothing when the result does not fit, or the operation is undefined.
std::optional<std::int64_t> integerArithmetic(const std::string& op, std::int64_t x, std::int64_t y) {
  std::int64_t r = 0;
  if (op == "+") return __builtin_add_overflow(x, y, &r) ? std::nullopt : std::optional(r);
  if (op == "-") return __builtin_sub_overflow(x, y, &r) ? std::nullopt : std::optional(r);
  if (op == "*") return __builtin_mul_overflow(x, y, &r) ? std::nullopt : std::optional(r);
  if (op == "//" || op == "%") {
    if (y == 0 || (y == -1 && x == std::numeric_limits<std::int64_t>::min())) return std::nullopt;
    std::int64_t q = x / y, m = x % y;
    if (m != 0 && (m < 0) != (y < 0)) {
      --q;
      m += y;
    }
    return op == "%" ? m : q;
  }
  if (op == "&") return x & y;
  if (op == "|") return x | y;
  if (op == "^") return x ^ y;
  if (op == ">>") return y < 0 ? std::nullopt : std::optional(x >> std::min<std::int64_t>(y, 63));
  if (op == "<<") {
    if (y < 0 || y > 62 || __builtin_mul_overflow(x, std::int64_t{1} << y, &r)) return std::nullopt;
    return r;
  }
  if (op == "**") {
    if (y < 0 || (y > 64 && x != 0 && x != 1 && x != -1)) return std::nullopt;
    if (y > 64) return x == -1 && y % 2 == 0 ? 1 : x;
    r = 1;
    for (std::int64_t i = 0; i < y; ++i) {
      if (__builtin_mul_overflow(r, x, &r)) return std::nullopt;
    }
    return r;
  }
  return std::nullopt;
}

}  // namespace

Value Evaluator::pythonArithmetic(const std::string& op, const Value& a, const Value& b, const Node& at) const {
  if (!a.get<double>() && !b.get<double>() && op != "/") {
    auto result = integerArithmetic(op, integerOf(a, at), integerOf(b, at));
    if (!result) refuse(at, message("this integer arithmetic overflows 64 bits or divides by zero"));
    return {*result};
  }
  double x = realOf(a), y = realOf(b);
  if ((op == "/" || op == "//" || op == "%") && y == 0) refuse(at, message("this divides by zero"));
  if (op == "+") return {x + y};
  if (op == "-") return {x - y};
  if (op == "*") return {x * y};
  if (op == "/") return {x / y};
  if (op == "//") return {std::floor(x / y)};
  if (op == "%") return {x - std::floor(x / y) * y};
  if (op == "**") return {std::pow(x, y)};
  refuse(at, message("'{}' needs integers", op));
}

Expr Evaluator::binaryOperation(ExprKind kind, Expr a, Expr b, const Node& at) {
  DType ta = a->dtype, tb = b->dtype;
  if (!ir::matchTypes(a, b)) refuse(at, message("dtypes {} and {} do not match", ta.str(), tb.str()));
  bool division =
      kind == ExprKind::FloorDiv || kind == ExprKind::FloorMod || kind == ExprKind::Div || kind == ExprKind::Mod;
  bool zero = ir::isConst(b, 0) || (b->kind == ExprKind::FloatImm && ir::as<ir::FloatImmNode>(b)->value == 0);
  if (division && zero) refuse(at, message("this divides by zero"));
  if ((kind == ExprKind::FloorDiv || kind == ExprKind::FloorMod) && !a->dtype.isIntegral() && !a->dtype.isBool()) {
    refuse(at, message("expected integers, found {} and {}", ta.str(), tb.str()));
  }
  if (a->dtype.isHandle() || a->dtype.isVoid()) refuse(at, message("a handle has no arithmetic"));
  return ir::fold(kind, std::move(a), std::move(b));
}

Expr Evaluator::bitwise(const std::string& op, Expr a, Expr b, const Node& at) {
  auto integral = [](DType t) { return t.isIntegral() || t.isBool(); };
  if (!integral(a->dtype) || !integral(b->dtype)) refuse(at, message("'{}' needs integers", op));
  if (!ir::matchTypes(a, b)) refuse(at, message("the operands' dtypes do not match"));
  bool shift = op == "<<" || op == ">>";
  bool index = a->dtype.isInt() && a->dtype.isScalar() && (a->dtype.bits == 32 || a->dtype.bits == 64);
  if (index && ir::asInt(b)) {
    std::int64_t y = ir::asInt(b)->value;
    if (shift && (y < 0 || y >= a->dtype.bits)) {
      refuse(at, message("expected a shift of 0 to {}, found {}", a->dtype.bits - 1, y));
    }
    if (ir::asInt(a)) {
      std::int64_t x = ir::asInt(a)->value;
      auto folded = op == "<<" ? static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << y) : 0;
      if (op == ">>") folded = x >> y;
      if (op == "&") folded = x & y;
      if (op == "|") folded = x | y;
      if (op == "^") folded = x ^ y;
      return ir::intImm(folded, a->dtype);
    }
    if (shift && y == 0) return a;
  }
  std::string name = op == "<<"   ? "shift_left"
                     : op == ">>" ? "shift_right"
                     : op == "&"  ? "bitwise_and"
                     : op == "|"  ? "bitwise_or"
                                  : "bitwise_xor";
  DType t = a->dtype;
  return ir::call(t, name, {std::move(a), std::move(b)});
}

Value Evaluator::operate(const std::string& op, const Value& a, const Value& b, const Node& at) {
  if (a.isNumber() && b.isNumber()) return pythonArithmetic(op, a, b, at);
  if (op == "+" && a.get<std::string>() && b.get<std::string>()) return {*a.get<std::string>() + *b.get<std::string>()};
  if (op == "+" && a.get<Sequence>() && b.get<Sequence>()) {
    std::vector<Value> items = *a.get<Sequence>()->items;
    items.insert(items.end(), b.get<Sequence>()->items->begin(), b.get<Sequence>()->items->end());
    if (items.size() > 100000) refuse(at, message("this list is too long"));
    return sequence(std::move(items), a.get<Sequence>()->isTuple);
  }
  Expr x = toExpr(a, at), y = toExpr(b, at);
  if (auto kind = arithmeticKind(op)) {
    if (*kind == ExprKind::Div && x->dtype.isInt() && y->dtype.isInt()) {
      refuse(at, message("expected '//' or T.truncdiv between integers, found '/'"));
    }
    return {binaryOperation(*kind, x, y, at)};
  }
  if (op == "**") refuse(at, message("expected T.pow of expressions, found '**'"));
  if (op == "@") refuse(at, message("'@' is no operator of TVMScript"));
  return {bitwise(op, adopted(a, b, at), adopted(b, a, at), at)};
}

Expr Evaluator::adopted(const Value& v, const Value& other, const Node& at) {
  auto* e = other.get<Expr>();
  const bool whole = v.get<std::int64_t>() || v.get<bool>();
  if (!whole || !e || !((*e)->dtype.isIntegral() || (*e)->dtype.isBool())) return toExpr(v, at);
  return typedConstant((*e)->dtype.element(), v, at);
}

Value Evaluator::binary(const Node& node) {
  // a chain of one operator leans left: it is walked in a loop
  std::vector<const Node*> chain;
  const Node* n = &node;
  for (; n->is(NodeKind::Binary); n = n->children[0].get()) chain.push_back(n);
  Value left = operand(*n);
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    Value right = operand(*(*it)->children[1]);
    left = operate((*it)->text, left, right, **it);
  }
  return left;
}

Value Evaluator::unary(const Node& node) {
  const Node& of = *node.children[0];
  if (node.text == "-" && of.is(NodeKind::Integer) && of.magnitude == std::uint64_t{1} << 63) {
    return {std::numeric_limits<std::int64_t>::min()};
  }
  Value value = operand(of);
  if (node.text == "not") {
    if (value.isNumber()) return {realOf(value) == 0};
    Expr e = toExpr(value, of);
    if (!e->dtype.isBool()) refuse(of, message("expected a condition, found dtype {}", e->dtype.str()));
    return {Expr(std::make_shared<ir::NotNode>(e))};
  }
  if (value.isNumber()) {
    if (node.text == "+") return value;
    if (node.text == "-" && value.get<double>()) return {-*value.get<double>()};
    if (node.text == "-") return pythonArithmetic("-", {std::int64_t{0}}, value, node);
    return {~integerOf(value, of)};
  }
  Expr e = toExpr(value, of);
  if (node.text == "-" && (e->dtype.isUInt() || e->dtype.isBool())) {
    refuse(node, message("'-' makes -1 of {}, which has no negative numbers", e->dtype.str()));
  }
  if (node.text == "-") return {binaryOperation(ExprKind::Mul, e, ir::constant(e->dtype, -1), node)};
  if (node.text == "~" && (e->dtype.isIntegral() || e->dtype.isBool())) return {ir::call(e->dtype, "bitwise_not", {e})};
  refuse(node, message("'{}' does not apply to dtype {}", node.text, e->dtype.str()));
}

// Python numbers take the other operand's dtype; no folding.
Expr Evaluator::combine(ExprKind kind, const Value& a, const Value& b, const Node& at) {
  auto adopt = [&](const Value& v, const Value& other) {
    auto* e = other.get<Expr>();
    if (!v.isNumber() || !e) return toExpr(v, at);
    DType t = (*e)->dtype.element();
    if (v.get<double>() && !t.isFloat()) t = DType::Float(32);
    return t.isHandle() || t.isVoid() ? toExpr(v, at) : typedConstant(t, v, at);
  };
  Expr x = adopt(a, b), y = adopt(b, a);
  if (x->dtype.isScalar() && !y->dtype.isScalar()) x = ir::broadcast(x, y->dtype.lanes);
  if (y->dtype.isScalar() && !x->dtype.isScalar()) y = ir::broadcast(y, x->dtype.lanes);
  if (x->dtype != y->dtype) {
    refuse(at, message("expected operands of one dtype, found {} and {}", x->dtype.str(), y->dtype.str()));
  }
  return ir::binary(kind, x, y);
}

Value Evaluator::compareTwo(const std::string& op, const Value& a, const Value& b, const Node& at) {
  auto kind = comparisonKind(op);
  if (!kind) refuse(at, message("'{}' is no comparison of TVMScript", op));
  if (a.isNumber() && b.isNumber()) {
    double x = realOf(a), y = realOf(b);
    bool exact = !a.get<double>() && !b.get<double>();
    std::int64_t i = exact ? integerOf(a, at) : 0, j = exact ? integerOf(b, at) : 0;
    auto order = exact ? (i < j ? -1 : i > j) : (x < y ? -1 : x > y);
    switch (*kind) {
      case ExprKind::EQ: return {order == 0};
      case ExprKind::NE: return {order != 0};
      case ExprKind::LT: return {order < 0};
      case ExprKind::LE: return {order <= 0};
      case ExprKind::GT: return {order > 0};
      default: return {order >= 0};
    }
  }
  if (a.get<std::string>() && b.get<std::string>() && (op == "==" || op == "!=")) {
    return {(*a.get<std::string>() == *b.get<std::string>()) == (op == "==")};
  }
  return {combine(*kind, a, b, at)};
}

namespace {
// Both sides as conditions; nothing when both are Python's.
std::optional<bool> truth(const Value& v) {
  if (auto* b = v.get<bool>()) return *b;
  return std::nullopt;
}
}  // namespace

Value Evaluator::compare(const Node& node) {
  Value left = operand(*node.children[0]);
  Value result;
  for (std::size_t i = 0; i < node.operators.size(); ++i) {
    Value right = operand(*node.children[i + 1]);
    Value next = compareTwo(node.operators[i], left, right, node);
    if (i == 0) {
      result = next;
    } else if (truth(result) && truth(next)) {
      result = {*truth(result) && *truth(next)};
    } else {
      result = {ir::binary(ExprKind::And, toExpr(result, node), toExpr(next, node))};
    }
    left = std::move(right);
  }
  return result;
}

Value Evaluator::logic(const Node& node) {
  bool isAnd = node.is(NodeKind::And);
  Value result = operand(*node.children[0]);
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    Value next = operand(*node.children[i]);
    if (truth(result) && truth(next)) {
      result = {isAnd ? *truth(result) && *truth(next) : *truth(result) || *truth(next)};
      continue;
    }
    Expr a = toExpr(result, *node.children[i - 1]), b = toExpr(next, *node.children[i]);
    if (!a->dtype.isBool() || !b->dtype.isBool()) {
      refuse(node, message("expected conditions, found dtypes {} and {}", a->dtype.str(), b->dtype.str()));
    }
    result = {ir::binary(isAnd ? ExprKind::And : ExprKind::Or, a, b)};
  }
  return result;
}

Value Evaluator::conditional(const Node& node) {
  Value condition = operand(*node.children[1]);
  if (condition.isNumber()) return operand(*node.children[realOf(condition) != 0 ? 0 : 2]);
  Expr c = toExpr(condition, *node.children[1]);
  if (!c->dtype.isBool()) refuse(*node.children[1], message("expected a condition, found dtype {}", c->dtype.str()));
  Expr yes = toExpr(operand(*node.children[0]), *node.children[0]);
  Expr no = toExpr(operand(*node.children[2]), *node.children[2]);
  if (!ir::matchTypes(yes, no)) refuse(node, message("the two values have different dtypes"));
  return {ir::ifThenElse(c, yes, no)};
}

}  // namespace loom::script
