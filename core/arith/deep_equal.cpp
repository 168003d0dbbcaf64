#include "core/arith/deep_equal.h"

#include <algorithm>
#include <string_view>

#include "core/ir/operation.h"

namespace loom::arith {

using namespace ir;

namespace {

bool allEqual(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), deepEqual);
}

// Calls beside those of scalars (ir/operation.h) whose value depends on nothing but their arguments.
bool isPure(std::string_view op) {
  if (auto* o = findOperation(op)) return o->pure;
  return op == "abs" || op == "max_value" || op == "min_value" || op == "zextend";
}

}  // namespace

bool deepEqualNodes(const Expr& a, const Expr& b) {
  if (a->dtype != b->dtype) return false;
  switch (a->kind) {
    case ExprKind::Var: return a == b;
    case ExprKind::IntImm: return as<IntImmNode>(a)->value == as<IntImmNode>(b)->value;
    case ExprKind::FloatImm: return as<FloatImmNode>(a)->value == as<FloatImmNode>(b)->value;
    case ExprKind::StringImm: return as<StringImmNode>(a)->value == as<StringImmNode>(b)->value;
    case ExprKind::Not: return deepEqual(as<NotNode>(a)->a, as<NotNode>(b)->a);
    case ExprKind::Cast: return deepEqual(as<CastNode>(a)->value, as<CastNode>(b)->value);
    case ExprKind::Broadcast: return deepEqual(as<BroadcastNode>(a)->value, as<BroadcastNode>(b)->value);
    case ExprKind::Select: {
      auto *x = as<SelectNode>(a), *y = as<SelectNode>(b);
      return deepEqual(x->condition, y->condition) && deepEqual(x->yes, y->yes) && deepEqual(x->no, y->no);
    }
    case ExprKind::Load: {
      auto *x = as<LoadNode>(a), *y = as<LoadNode>(b);
      return x->buffer == y->buffer && allEqual(x->indices, y->indices);
    }
    case ExprKind::Call: {
      auto *x = as<CallNode>(a), *y = as<CallNode>(b);
      return x->op == y->op && allEqual(x->args, y->args);
    }
    case ExprKind::Ramp: {
      auto *x = as<RampNode>(a), *y = as<RampNode>(b);
      return deepEqual(x->base, y->base) && deepEqual(x->stride, y->stride);
    }
    case ExprKind::Let: {
      auto *x = as<LetNode>(a), *y = as<LetNode>(b);
      return x->var == y->var && deepEqual(x->value, y->value) && deepEqual(x->body, y->body);
    }
    default: {
      auto *x = as<BinaryNode>(a), *y = as<BinaryNode>(b);
      return deepEqual(x->a, y->a) && deepEqual(x->b, y->b);
    }
  }
}

Effect effectOf(const Expr& e) {
  auto most = [](const std::vector<Expr>& parts, Effect effect) {
    for (const Expr& p : parts) effect = std::max(effect, effectOf(p));
    return effect;
  };
  if (auto* b = asBinary(e)) return std::max(effectOf(b->a), effectOf(b->b));
  switch (e->kind) {
    case ExprKind::Not: return effectOf(as<NotNode>(e)->a);
    case ExprKind::Cast: return effectOf(as<CastNode>(e)->value);
    case ExprKind::Broadcast: return effectOf(as<BroadcastNode>(e)->value);
    case ExprKind::Ramp: return std::max(effectOf(as<RampNode>(e)->base), effectOf(as<RampNode>(e)->stride));
    case ExprKind::Select: {
      auto* s = as<SelectNode>(e);
      return std::max({effectOf(s->condition), effectOf(s->yes), effectOf(s->no)});
    }
    case ExprKind::Let: return std::max(effectOf(as<LetNode>(e)->value), effectOf(as<LetNode>(e)->body));
    case ExprKind::Load: return most(as<LoadNode>(e)->indices, Effect::ReadState);
    case ExprKind::Call: {
      auto* c = as<CallNode>(e);
      return most(c->args, isPure(c->op) ? Effect::Pure : Effect::UpdateState);
    }
    default: return Effect::Pure;
  }
}

}  // namespace loom::arith
