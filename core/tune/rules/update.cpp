#include "core/tune/rules/update.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::tune {

namespace {

using namespace ir;

bool sameIndices(const LoadNode& load, const std::vector<Expr>& indices) {
  return std::ranges::equal(load.indices, indices, ExprEqual());
}

// Different operations on elements, none of those that say where an element lies.
struct Operations : Visitor {
  std::vector<Expr> all;
  using Visitor::visit;
  void visit(const Expr& e) override {
    const auto* call = asCall(e);
    const bool isOne = asBinary(e) || e->kind == ExprKind::Select || (call && call->op != "fabs");
    if (isOne && std::ranges::none_of(all, [&](const Expr& known) { return structuralEqual(known, e); }))
      all.push_back(e);
    Visitor::visit(e);
  }
  void visitLoad(const LoadNode&) override {}
};

// Functions that are 0 where all operands are.
constexpr std::string_view kZeroOfZeros[] = {
    "asin",  "atan", "bitwise_and", "bitwise_or", "bitwise_xor", "ceil",  "erf",        "fabs",
    "floor", "fma",  "log1p",       "nearbyint",  "popcount",    "round", "shift_left", "shift_right",
    "sin",   "sinh", "sqrt",        "tan",        "tanh",        "trunc"};

std::optional<double> ofBinary(ExprKind kind, double a, double b) {
  switch (kind) {
    case ExprKind::Add: return a + b;
    case ExprKind::Sub: return a - b;
    case ExprKind::Mul: return a * b;
    case ExprKind::Div:
    case ExprKind::FloorDiv: return a == 0 && b != 0 ? std::optional(0.0) : std::nullopt;
    case ExprKind::Min: return std::min(a, b);
    case ExprKind::Max: return std::max(a, b);
    case ExprKind::EQ: return a == b;
    case ExprKind::NE: return a != b;
    case ExprKind::LT: return a < b;
    case ExprKind::LE: return a <= b;
    case ExprKind::GT: return a > b;
    case ExprKind::GE: return a >= b;
    case ExprKind::And: return a != 0 && b != 0;
    case ExprKind::Or: return a != 0 || b != 0;
    default: return std::nullopt;
  }
}

// The value of an expression where all that it reads is 0; nothing: it isn't known.
std::optional<double> atZeros(const Expr& e);

std::optional<double> ofCall(const CallNode& call) {
  std::vector<double> args;
  for (const Expr& arg : call.args) {
    const auto value = atZeros(arg);
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  if (call.op == "if_then_else" && args.size() == 3) return args[0] != 0 ? args[1] : args[2];
  if ((call.op == "exp" || call.op == "exp2") && args.size() == 1 && args[0] == 0) return 1.0;
  const bool zeros = std::ranges::all_of(args, [](double v) { return v == 0; });
  return zeros && std::ranges::find(kZeroOfZeros, call.op) != std::end(kZeroOfZeros) ? std::optional(0.0)
                                                                                     : std::nullopt;
}

std::optional<double> atZeros(const Expr& e) {
  if (const auto* number = asInt(e)) return double(number->value);
  if (e->kind == ExprKind::FloatImm) return as<FloatImmNode>(e)->value;
  if (e->kind == ExprKind::Load) return 0.0;
  if (e->kind == ExprKind::Cast) {
    const auto value = atZeros(as<CastNode>(e)->value);
    return value == 0.0 || value == 1.0 ? value : std::nullopt;  // others may be rounded
  }
  if (e->kind == ExprKind::Not) {
    const auto value = atZeros(as<NotNode>(e)->a);
    return value ? std::optional(*value == 0 ? 1.0 : 0.0) : std::nullopt;
  }
  if (e->kind == ExprKind::Select) {
    const auto* select = as<SelectNode>(e);
    const auto condition = atZeros(select->condition);
    return condition ? atZeros(*condition != 0 ? select->yes : select->no) : std::nullopt;
  }
  if (const auto* binary = asBinary(e)) {
    const auto a = atZeros(binary->a), b = atZeros(binary->b);
    return a && b ? ofBinary(e->kind, *a, *b) : std::nullopt;
  }
  const auto* call = asCall(e);
  return call ? ofCall(*call) : std::nullopt;
}

}  // namespace

std::optional<Update> updateOf(const StoreNode& store) {
  const auto* binary = asBinary(store.value);
  if (!binary) return std::nullopt;
  const auto isResult = [&](const Expr& e) {
    const auto* load = asLoad(e);
    return load && load->buffer == store.buffer && sameIndices(*load, store.indices);
  };
  const auto readsResult = [&](const Expr& e) {
    return std::ranges::any_of(loadsIn(e), [&](const LoadNode* load) { return load->buffer == store.buffer; });
  };
  const ExprKind kind = store.value->kind;
  const bool commutes =
      kind == ExprKind::Add || kind == ExprKind::Mul || kind == ExprKind::Min || kind == ExprKind::Max;
  if ((commutes || kind == ExprKind::Sub) && isResult(binary->a) && !readsResult(binary->b))
    return Update{kind, binary->b, true};
  if (commutes && isResult(binary->b) && !readsResult(binary->a)) return Update{kind, binary->a, false};
  return std::nullopt;
}

std::optional<std::vector<const LoadNode*>> elementsOf(const Expr& value) {
  std::vector<const LoadNode*> elements;
  for (const LoadNode* load : loadsIn(value)) {
    const auto known =
        std::ranges::find_if(elements, [&](const LoadNode* other) { return other->buffer == load->buffer; });
    if (known != elements.end() && !sameIndices(**known, load->indices)) return std::nullopt;
    if (std::ranges::any_of(load->indices, readsMemory)) return std::nullopt;
    if (known == elements.end()) elements.push_back(load);
  }
  return elements;
}

int instructionsOf(const Update& update) {
  Operations found;
  found.visit(update.value);
  const bool multiplies = update.value->kind == ExprKind::Mul;
  const bool adds = update.combiner == ExprKind::Add || update.combiner == ExprKind::Sub;
  return int(found.all.size()) + (multiplies && adds ? 0 : 1);
}

bool isZeroOfZeros(const Expr& value) { return atZeros(value) == 0.0; }

const ir::Expr& withoutCasts(const ir::Expr& e, int most) {
  return most > 0 && e->kind == ir::ExprKind::Cast ? withoutCasts(ir::as<ir::CastNode>(e)->value, most - 1) : e;
}

}  // namespace loom::tune
