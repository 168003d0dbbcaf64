// Calls that make expressions: T.float32(0), T.exp(x), T.Cast(…), buffer methods.
#include <cmath>
#include <limits>

#include "core/ir/build.h"
#include "core/ir/limits.h"
#include "core/script/evaluator.h"
#include "core/script/intrinsics.h"
#include "core/script/scalar_calls.h"

namespace loom::script {

using ir::DType;
using ir::Expr;
using ir::ExprKind;

namespace {

constexpr std::pair<std::string_view, ExprKind> kNodes[] = {{"Add", ExprKind::Add},
                                                            {"Sub", ExprKind::Sub},
                                                            {"Mul", ExprKind::Mul},
                                                            {"Div", ExprKind::Div},
                                                            {"Mod", ExprKind::Mod},
                                                            {"FloorDiv", ExprKind::FloorDiv},
                                                            {"FloorMod", ExprKind::FloorMod},
                                                            {"Min", ExprKind::Min},
                                                            {"Max", ExprKind::Max},
                                                            {"EQ", ExprKind::EQ},
                                                            {"NE", ExprKind::NE},
                                                            {"LT", ExprKind::LT},
                                                            {"LE", ExprKind::LE},
                                                            {"GT", ExprKind::GT},
                                                            {"GE", ExprKind::GE},
                                                            {"And", ExprKind::And},
                                                            {"Or", ExprKind::Or}};

constexpr std::pair<std::string_view, ExprKind> kFolding[] = {
    {"min", ExprKind::Min},           {"max", ExprKind::Max},           {"floordiv", ExprKind::FloorDiv},
    {"floormod", ExprKind::FloorMod}, {"truncdiv", ExprKind::Div},      {"truncmod", ExprKind::Mod},
    {"div", ExprKind::Div},           {"indexdiv", ExprKind::FloorDiv}, {"indexmod", ExprKind::FloorMod}};

template <std::size_t N>
const ExprKind* lookup(const std::pair<std::string_view, ExprKind> (&table)[N], const std::string& name) {
  for (const auto& [key, kind] : table) {
    if (key == name) return &kind;
  }
  return nullptr;
}

}  // namespace

Value Evaluator::argument(const Node& call, const Node& node) {
  std::string_view callee = call.children[0]->text;
  bool regions = callee == "reads" || callee == "writes" || callee == "match_buffer" || callee == "realize";
  return regions ? evaluate(node) : operand(node);
}

// A Python number in the scalar dtype, within its range.
Expr Evaluator::typedConstant(DType dtype, const Value& value, const Node& at) {
  if (dtype.isFloat()) {
    double x = 0;
    if (auto* d = value.get<double>()) {
      x = *d;
    } else {
      x = static_cast<double>(integerOf(value, at));
    }
    if (std::isfinite(x) && std::fabs(x) > ir::greatestFloat(dtype))
      refuse(at, message("this number exceeds the range of {}", dtype.str()));
    return ir::floatImm(x, dtype);
  }
  if (!dtype.isIntegral() && !dtype.isBool()) refuse(at, message("a number cannot have dtype {}", dtype.str()));
  std::int64_t x = 0;
  if (auto* d = value.get<double>()) {
    if (!(std::fabs(*d) < 9e18)) refuse(at, message("this number exceeds the range of {}", dtype.str()));
    x = static_cast<std::int64_t>(*d);
  } else {
    x = integerOf(value, at);
  }
  if (x > ir::greatestInteger(dtype) || x < ir::leastInteger(dtype)) {
    refuse(at, message("{} exceeds the range of {}", x, dtype.str()));
  }
  return ir::intImm(x, dtype);
}

Value Evaluator::call(const Node& node) {
  const Node& callee = *node.children[0];
  if (std::string name = scriptName(callee); !name.empty()) {
    if (auto value = evaluateScopedCall(name, node)) return *value;
    Arguments arguments(*this, node);
    auto value = constructorCall(name, arguments);
    if (!value) value = mathCall(name, arguments);
    if (value) arguments.drop("dtype");
    if (!value) value = scalarCall(name, *this, arguments);
    if (!value) value = intrinsicCall(name, arguments);
    if (!value) refuse(node, message("T.{} is not known", name));
    arguments.finish();
    return *value;
  }
  if (callee.is(NodeKind::Attribute) && scriptName(callee, 'I').empty()) return method(node);
  if (callee.is(NodeKind::Name) && callee.text == "float" && !find("float")) {
    Arguments arguments(*this, node);
    const Value& v = arguments.need(0, "x");
    arguments.finish();
    if (auto* d = v.get<double>()) return {*d};
    if (v.get<std::int64_t>()) return {static_cast<double>(integerOf(v, node))};
    std::string text = stringOf(v, node);
    if (text == "inf") return {std::numeric_limits<double>::infinity()};
    if (text == "-inf") return {-std::numeric_limits<double>::infinity()};
    if (text == "nan") return {std::numeric_limits<double>::quiet_NaN()};
    refuse(node, message("expected \"inf\", \"-inf\" or \"nan\""));
  }
  refuse(callee, message("expected a call of a TVMScript function"));
}

std::optional<Value> Evaluator::constructorCall(const std::string& name, Arguments& arguments) {
  const Node& at = arguments.node;
  if (auto* kind = lookup(kNodes, name)) {
    Expr a = arguments.expr(0, "a"), b = arguments.expr(1, "b");
    bool conditions = *kind == ExprKind::And || *kind == ExprKind::Or;
    if (a->dtype != b->dtype || (conditions && !a->dtype.isBool())) {
      refuse(at, message("expected operands of one dtype, found {} and {}", a->dtype.str(), b->dtype.str()));
    }
    return Value{ir::binary(*kind, a, b)};
  }
  if (name == "Not") return Value{Expr(std::make_shared<ir::NotNode>(arguments.expr(0, "a")))};
  if (name == "Cast") {
    DType t = arguments.dtype(0, "dtype");
    Expr value = arguments.expr(1, "value");
    if (t.lanes != value->dtype.lanes) {
      refuse(at, message("expected a value of as many lanes as {}, found {}", t.str(), value->dtype.str()));
    }
    return Value{Expr(std::make_shared<ir::CastNode>(t, value))};
  }
  if (name == "cast") {
    Expr value = arguments.expr(0, "src");
    DType t = arguments.dtype(1, "dtype");
    if (auto* i = ir::asInt(value); i && (t.isIntegral() || t.isBool())) {
      return Value{typedConstant(t.element(), Value{i->value}, at)};
    }
    return Value{ir::cast(t, value)};
  }
  if (name == "Select") {
    Expr c = arguments.expr(0, "condition"), yes = arguments.expr(1, "true_value"),
         no = arguments.expr(2, "false_value");
    if (!c->dtype.isBool() || yes->dtype != no->dtype)
      refuse(at, message("expected a condition and two values of one dtype"));
    return Value{ir::select(c, yes, no)};
  }
  if (name == "Ramp" || name == "ramp" || name == "Broadcast" || name == "broadcast") {
    bool isRamp = name == "Ramp" || name == "ramp";
    Expr value = arguments.expr(0, isRamp ? "base" : "value");
    std::size_t last = isRamp ? 2 : 1;
    Expr stride = isRamp ? arguments.expr(1, "stride") : nullptr;
    std::int64_t lanes = integerOf(arguments.need(last, "lanes"), arguments.where(last, "lanes"));
    if (lanes < 2 || lanes > 1024 || !value->dtype.isScalar())
      refuse(at, message("expected a scalar and 2 to 1024 lanes"));
    if (!isRamp) return Value{ir::broadcast(value, static_cast<int>(lanes))};
    return Value{ir::ramp(value, ir::cast(value->dtype, stride), static_cast<int>(lanes))};
  }
  if (name == "StringImm") return Value{ir::stringImm(arguments.string(0, "value"))};
  if (name == "IntImm" || name == "FloatImm") {
    DType t = arguments.dtype(0, "dtype");
    return Value{typedConstant(t, arguments.need(1, "value"), at)};
  }
  if (name == "Let") {
    Expr body = arguments.expr(0, "expr");
    auto* where = arguments.need(1, "where").get<Dictionary>();
    if (!where || where->items->size() != 1) refuse(at, message("expected where={{variable: value}} with one entry"));
    auto* var = where->items->front().first.get<Expr>();
    if (!var || !ir::asVar(*var)) refuse(at, message("expected a variable before ':'"));
    Expr value = toExpr(where->items->front().second, at);
    return Value{Expr(std::make_shared<ir::LetNode>(ir::varOf(*var), ir::cast((*var)->dtype, value), body))};
  }
  if (name == "boolean") return typedCall(DType::Bool(), arguments);
  if (name == "handle") {
    if (arguments.find(0, "dtype")) arguments.dtype(0, "dtype");
    arguments.string(1, "storage_scope", "global");
    return Value{Expr(unnamedVar(DType::Handle()))};
  }
  if (name == "var") return Value{Expr(unnamedVar(arguments.dtype(0, "dtype")))};  // what T.int32() was called
  if (auto dtype = DType::parse(name)) return typedCall(*dtype, arguments);
  return std::nullopt;
}

Value Evaluator::typedCall(DType dtype, Arguments& arguments) {
  arguments.drop("is_size_var");
  auto* value = arguments.find(0, "expr");
  const Node& at = arguments.where(0, "expr");
  if (!value) return {Expr(unnamedVar(dtype))};
  if (auto* text = value->get<std::string>()) {
    double x = *text == "inf"    ? std::numeric_limits<double>::infinity()
               : *text == "-inf" ? -std::numeric_limits<double>::infinity()
               : *text == "nan"  ? std::numeric_limits<double>::quiet_NaN()
                                 : 0;
    if (x == 0 || !dtype.isFloat()) refuse(at, message("expected a number, \"inf\", \"-inf\" or \"nan\""));
    return {ir::floatImm(x, dtype)};
  }
  if (value->isNumber()) {
    Expr scalar = typedConstant(dtype.element(), *value, at);
    return {dtype.isScalar() ? scalar : ir::broadcast(scalar, dtype.lanes)};
  }
  Expr e = toExpr(*value, at);
  if (e->dtype.isHandle() && !dtype.isHandle()) refuse(at, message("a handle cannot become a number"));
  return {ir::cast(dtype, e)};
}

std::optional<Value> Evaluator::mathCall(const std::string& name, Arguments& arguments) {
  const Node& at = arguments.node;
  if (auto* kind = lookup(kFolding, name)) {
    Expr a = arguments.expr(0, "a"), b = arguments.expr(1, "b");
    if (name == "truncdiv" && (a->dtype.isFloat() || b->dtype.isFloat())) {
      refuse(at, message("T.truncdiv needs integers, found {} and {}", a->dtype.str(), b->dtype.str()));
    }
    return Value{binaryOperation(*kind, a, b, at)};
  }
  if (name == "ceildiv") {
    Expr a = arguments.expr(0, "lhs"), b = arguments.expr(1, "rhs");
    Expr sum = binaryOperation(ExprKind::Add, a, b, at);
    sum = binaryOperation(ExprKind::Sub, sum, ir::one(sum->dtype), at);
    return Value{binaryOperation(ExprKind::FloorDiv, sum, b, at)};
  }
  if (name == "if_then_else") {
    Expr c = arguments.expr(0, "cond"), yes = arguments.expr(1, "t"), no = arguments.expr(2, "f");
    if (!c->dtype.isBool() || !c->dtype.isScalar())
      refuse(at, message("expected a condition, found dtype {}", c->dtype.str()));
    if (!ir::matchTypes(yes, no)) refuse(at, message("the two values have different dtypes"));
    return Value{ir::ifThenElse(c, yes, no)};
  }
  if (name == "likely") {
    Expr c = arguments.expr(0, "cond");
    return Value{ir::asInt(c) ? c : ir::call(c->dtype, "likely", {c})};
  }
  if (name == "all" || name == "any") {
    auto conditions = arguments.rest(0);
    if (conditions.empty()) refuse(at, message("expected at least one condition"));
    Expr result = conditions[0];
    for (std::size_t i = 0; i < conditions.size(); ++i) {
      if (!conditions[i]->dtype.isBool()) refuse(at, message("expected conditions"));
      if (i > 0) result = ir::fold(name == "all" ? ExprKind::And : ExprKind::Or, result, conditions[i]);
    }
    return Value{result};
  }
  constexpr std::pair<std::string_view, const char*> kBits[] = {
      {"bitwise_and", "&"}, {"bitwise_or", "|"}, {"bitwise_xor", "^"}, {"shift_left", "<<"}, {"shift_right", ">>"}};
  for (const auto& [key, op] : kBits) {
    if (key != name) continue;
    const Value &x = arguments.need(0, "x"), &y = arguments.need(1, "y");
    return Value{bitwise(op, adopted(x, y, at), adopted(y, x, at), at)};
  }
  if (name == "pow" || name == "power") {
    Expr x = arguments.expr(0, "x"), y = arguments.expr(1, "y");
    if (!ir::matchTypes(x, y) || x->dtype.code != DType::Code::Float) {
      refuse(at, message("T.pow needs float16, float32 or float64, found {}", x->dtype.str()));
    }
    return Value{ir::call(x->dtype, "pow", {x, y})};
  }
  if (name == "abs" || name == "fabs") {
    Expr x = arguments.expr(0, "x");
    if (x->dtype.isUInt() || x->dtype.isBool()) return Value{x};
    if (x->dtype.isFloat() && x->dtype.bits == 8) refuse(at, message("T.{} does not take {}", name, x->dtype.str()));
    if (x->dtype.isFloat()) {
      if (x->kind == ExprKind::FloatImm)
        return Value{ir::floatImm(std::fabs(ir::as<ir::FloatImmNode>(x)->value), x->dtype)};
      return Value{ir::call(x->dtype, "fabs", {x})};
    }
    if (!x->dtype.isInt()) refuse(at, message("T.abs needs a number"));
    if (auto* i = ir::asInt(x)) return Value{i->value < 0 ? ir::negate(x) : x};
    return Value{ir::select(ir::ge(x, ir::zero(x->dtype)), x, ir::negate(x))};
  }
  constexpr std::string_view kRounding[] = {"floor", "ceil", "trunc", "round", "nearbyint"};
  for (auto key : kRounding) {
    if (key != name) continue;
    Expr x = arguments.expr(0, "x");
    if (x->dtype.isIntegral() || x->dtype.isBool()) return Value{x};
    if (x->kind != ExprKind::FloatImm) return Value{ir::call(x->dtype, name, {x})};
    double v = ir::as<ir::FloatImmNode>(x)->value;
    v = name == "floor"   ? std::floor(v)
        : name == "ceil"  ? std::ceil(v)
        : name == "trunc" ? std::trunc(v)
                          : std::nearbyint(v);
    return Value{ir::floatImm(v, x->dtype)};
  }
  if (name == "min_value" || name == "max_value" || name == "infinity") {
    DType t = arguments.dtype(0, "dtype");
    if (!t.isScalar() || t.isHandle() || t.isVoid()) refuse(at, message("T.{} needs a scalar number's dtype", name));
    if (name == "infinity") {
      if (t.code != DType::Code::Float) refuse(at, message("only floats have an infinity"));
      return Value{ir::floatImm(std::numeric_limits<double>::infinity(), t)};
    }
    return Value{name == "min_value" ? ir::leastValue(t) : ir::greatestValue(t)};
  }
  return std::nullopt;
}

std::optional<Value> Evaluator::intrinsicCall(const std::string& name, Arguments& arguments) {
  const Node& at = arguments.node;
  auto* intrinsic = findIntrinsic(name);
  if (!intrinsic) return std::nullopt;
  using Rule = Intrinsic::Rule;
  std::size_t first = 0;
  DType t = intrinsic->dtype;
  auto* dtype = arguments.keyword("dtype");
  if (intrinsic->rule == Rule::Forward) {
    t = dtype ? dtypeOf(*dtype, at) : arguments.dtype(0, "dtype");
    first = dtype ? 0 : 1;
  }
  std::string op(intrinsic->op);
  if (name == "address_of") {
    const Value& v = arguments.need(0, "obj");
    if (auto* b = v.get<ir::Buffer>()) {
      return Value{ir::call(t, op, {ir::load(*b, std::vector<Expr>((*b)->shape.size(), ir::intImm(0)))})};
    }
  }
  if (name == "call_intrin") {
    op = arguments.string(first++, "func_name");
    if (!op.starts_with("tir.")) refuse(at, message("T.call_intrin needs an operator \"tir.…\", found \"{}\"", op));
    op = op.substr(4);
  }
  if (name == "dp4a") {
    auto args = arguments.rest(0);
    if (args.size() == 2) args.push_back(ir::intImm(0));
    return Value{ir::call(t, op, std::move(args))};
  }
  if (name == "tvm_struct_get") {
    t = arguments.dtype(3, "dtype");
    return Value{ir::call(t, op, {arguments.expr(0, "arr"), arguments.expr(1, "index"), arguments.expr(2, "field")})};
  }
  auto args = arguments.rest(first);
  int count = static_cast<int>(args.size());
  if (count < intrinsic->least || (intrinsic->most >= 0 && count > intrinsic->most)) {
    refuse(at, intrinsic->most == intrinsic->least
                   ? message("T.{} takes {} arguments, found {}", name, intrinsic->least, count)
                   : message("T.{} takes {} or more arguments, found {}", name, intrinsic->least, count));
  }
  auto operand = static_cast<std::size_t>(intrinsic->like);
  if (intrinsic->rule == Rule::Like) t = args[operand]->dtype;
  return Value{ir::call(t, op, std::move(args))};
}

}  // namespace loom::script
