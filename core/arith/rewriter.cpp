#include "core/arith/rewriter.h"

#include "core/arith/constraints.h"
#include "core/arith/pattern.h"
#include "core/arith/state.h"

namespace loom::arith {

using namespace ir;

namespace {

constexpr int kMaxDepth = 5;

bool isDivision(ExprKind k) {
  return k == ExprKind::Div || k == ExprKind::Mod || k == ExprKind::FloorDiv || k == ExprKind::FloorMod;
}

// Pushes a negation inward, without simplifying what it reaches.
Expr normalizeBoolean(const Expr& e) {
  using namespace pattern;
  Any x, y;
  if ((!!x).match(e)) return normalizeBoolean(*x);
  if ((!(x || y)).match(e)) return make(ExprKind::And, normalizeBoolean(makeNot(*x)), normalizeBoolean(makeNot(*y)));
  if ((!(x && y)).match(e)) return make(ExprKind::Or, normalizeBoolean(makeNot(*x)), normalizeBoolean(makeNot(*y)));
  if (oneOf(x >= y, !(x < y), !(y > x)).match(e)) return make(ExprKind::LE, *y, *x);
  if (oneOf(x > y, !(x <= y), !(y >= x)).match(e)) return make(ExprKind::LT, *y, *x);
  if ((!(x == y)).match(e)) return make(ExprKind::NE, *x, *y);
  if ((!(x != y)).match(e)) return make(ExprKind::EQ, *x, *y);
  return e;
}

Expr plainNot(const Expr& e) { return std::make_shared<NotNode>(e); }

}  // namespace

bool Rewriter::proveGreaterEqual(const Expr& e, std::int64_t bound) {
  return s_.analyzer.canProveGreaterEqual(e, bound);
}
bool Rewriter::proveLess(const Expr& e, std::int64_t bound) { return s_.analyzer.canProveLess(e, bound); }

Expr Rewriter::again(const Expr& e) {
  if (depth_ >= kMaxDepth) return e;
  ++depth_;
  Expr r = visit(e);
  --depth_;
  return r;
}

std::size_t Rewriter::enter(const Expr& condition) {
  std::size_t mark = literals_.size();
  Expr simple = visit(condition);
  forEachConjunct(simple, [&](const Expr& part) {
    if (effectOf(part) != Effect::Pure) return;
    literals_.push_back(part);
    Expr negation = part->dtype.isBool() && part->dtype.isScalar()
                        ? normalizeBoolean(plainNot(part))
                        : make(ExprKind::EQ, part, constantOf(part->dtype, 0));
    literals_.push_back(plainNot(negation));
  });
  return mark;
}

Expr Rewriter::fromLiterals(const Expr& e) const {
  for (const Expr& literal : literals_) {
    if (deepEqual(literal, e)) return constantOf(e->dtype, 1);
    if (literal->kind == ExprKind::Not && deepEqual(as<NotNode>(literal)->a, e)) return constantOf(e->dtype, 0);
  }
  return nullptr;
}

// Only bounds and modular sets are asked: this is called often.
Outcome Rewriter::compare(const Expr& x, std::int64_t value) {
  Expr diff = visit(x);
  if (auto* i = asInt(diff)) return i->value == value ? Outcome::EQ : i->value > value ? Outcome::GT : Outcome::LT;
  ConstIntBound b = boundOf(s_, diff);
  if (b.min == value && b.max == value) return Outcome::EQ;
  if (b.min > value) return Outcome::GT;
  if (b.max < value) return Outcome::LT;
  if (b.min >= value) return Outcome::GE;
  if (b.max <= value) return Outcome::LE;
  if (value == 0 && modularSetOf(s_, diff).base != 0) return Outcome::NE;
  return Outcome::Unknown;
}

Outcome Rewriter::compare(const Expr& x, const Expr& y) {
  auto decided = [](Outcome o) { return o == Outcome::EQ || o == Outcome::LT || o == Outcome::GT; };
  Outcome o = compare(make(ExprKind::Sub, x, y), 0);
  if (decided(o)) return o;
  return o & s_.comparisons.compare(x, y, extensions_ & kTransitivelyProveInequalities);
}

Expr Rewriter::dispatch(const Expr& e) {
  switch (e->kind) {
    case ExprKind::Var: return visitVar(e);
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
    case ExprKind::StringImm: return e;
    case ExprKind::GT:
    case ExprKind::GE: {
      auto* n = as<BinaryNode>(e);
      return visit(make(e->kind == ExprKind::GT ? ExprKind::LT : ExprKind::LE, n->b, n->a));
    }
    case ExprKind::Not: return visitNot(e);
    case ExprKind::Cast: return visitCast(e);
    case ExprKind::Select: return visitSelect(e);
    case ExprKind::Call: return visitCall(e);
    case ExprKind::Let: return visitLet(e);
    case ExprKind::Load: {
      auto* n = as<LoadNode>(e);
      bool changed = false;
      auto indices = visitAll(n->indices, changed);
      return changed ? std::make_shared<LoadNode>(n->buffer, std::move(indices), e->dtype) : e;
    }
    case ExprKind::Ramp: {
      auto* n = as<RampNode>(e);
      Expr base = visit(n->base), stride = visit(n->stride);
      if (base == n->base && stride == n->stride) return e;
      return std::make_shared<RampNode>(std::move(base), std::move(stride), static_cast<int>(e->dtype.lanes));
    }
    case ExprKind::Broadcast: {
      auto* n = as<BroadcastNode>(e);
      Expr value = visit(n->value);
      if (value == n->value) return e;
      return std::make_shared<BroadcastNode>(std::move(value), static_cast<int>(e->dtype.lanes));
    }
    default: return visitBinary(e);
  }
}

std::vector<Expr> Rewriter::visitAll(const std::vector<Expr>& list, bool& changed) {
  std::vector<Expr> result;
  result.reserve(list.size());
  for (const Expr& e : list) {
    result.push_back(visit(e));
    changed = changed || result.back() != e;
  }
  return result;
}

Expr Rewriter::visitVar(const Expr& e) {
  if (e->dtype == DType::Bool())
    if (Expr known = fromLiterals(e)) return known;
  const VarFacts* f = s_.factsOf(e.get());
  return f && f->value ? f->value : e;
}

Expr Rewriter::visitBinary(const Expr& e) {
  auto* n = as<BinaryNode>(e);
  ExprKind kind = e->kind;
  Expr a, b;
  if ((extensions_ & kApplyConstraintsToBooleanBranches) && (kind == ExprKind::And || kind == ExprKind::Or)) {
    std::tie(a, b) = visitBranches(*n);
  } else {
    a = visit(n->a);
    b = visit(n->b);
  }
  if (Expr folded = tryFold(kind, a, b)) return folded;
  Expr r = a == n->a && b == n->b ? e : makeNode(kind, std::move(a), std::move(b));
  if (isDivision(kind) && isConst(as<BinaryNode>(r)->b, 0)) return r;
  if (kind >= ExprKind::EQ)
    if (Expr known = fromLiterals(r)) return known;
  switch (kind) {
    case ExprKind::Add: return addRules(r);
    case ExprKind::Sub: return subRules(r);
    case ExprKind::Mul: return mulRules(r);
    case ExprKind::Div: return truncDivRules(r);
    case ExprKind::Mod: return truncModRules(r);
    case ExprKind::FloorDiv: return floorDivRules(r);
    case ExprKind::FloorMod: return floorModRules(r);
    case ExprKind::Min: return extremeRules<true>(r);
    case ExprKind::Max: return extremeRules<false>(r);
    case ExprKind::EQ: return eqRules(r);
    case ExprKind::NE: return neRules(r);
    case ExprKind::LT: return ltRules(r);
    case ExprKind::LE: return leRules(r);
    case ExprKind::And: return andRules(r);
    case ExprKind::Or: return orRules(r);
    default: return r;
  }
}

std::pair<Expr, Expr> Rewriter::visitBranches(const BinaryNode& n) {
  Expr branch[2] = {n.a, n.b};
  int unchanged = 0;
  for (int i = 0; i < 4 && unchanged < 2; i++) {
    Expr& current = branch[i % 2];
    const Expr& other = branch[1 - i % 2];
    auto context = s_.analyzer.enter(n.kind == ExprKind::And ? other : normalizeBoolean(makeNot(other)));
    Expr updated = visit(current);
    unchanged = updated == current ? unchanged + 1 : 0;
    current = updated;
  }
  return {branch[0], branch[1]};
}

Expr Rewriter::visitNot(const Expr& e) {
  auto* n = as<NotNode>(e);
  Expr a = visit(n->a);
  if (auto* i = asInt(a)) return boolImm(i->value == 0);
  Expr r = a == n->a ? e : plainNot(a);
  if (Expr known = fromLiterals(r)) return known;
  return notRules(r);
}

Expr Rewriter::visitCast(const Expr& e) { return cast(e->dtype, visit(as<CastNode>(e)->value)); }

Expr Rewriter::visitSelect(const Expr& e) {
  auto* n = as<SelectNode>(e);
  Expr condition = visit(n->condition), yes, no;
  {
    auto context = s_.analyzer.enter(condition);
    yes = visit(n->yes);
  }
  {
    auto context = s_.analyzer.enter(s_.analyzer.rewriteSimplify(plainNot(condition)));
    no = visit(n->no);
  }
  if (isConst(condition, 0)) return no;
  if (isConst(condition, 1)) return yes;
  if (deepEqual(yes, no)) return yes;
  if (condition == n->condition && yes == n->yes && no == n->no) return e;
  return std::make_shared<SelectNode>(condition, yes, no);
}

Expr Rewriter::visitIfThenElse(const Expr& e) {
  auto* n = as<CallNode>(e);
  Expr condition = visit(n->args[0]), yes, no;
  {
    auto context = s_.analyzer.enter(condition);
    yes = visit(n->args[1]);
  }
  {
    auto context = s_.analyzer.enter(plainNot(condition));
    no = visit(n->args[2]);
  }
  if (isConst(condition, 0)) return no;
  if (isConst(condition, 1)) return yes;
  bool same = condition == n->args[0] && yes == n->args[1] && no == n->args[2];
  Expr r = same ? e : std::make_shared<CallNode>(e->dtype, n->op, std::vector<Expr>{condition, yes, no});
  // if_then_else(a, if_then_else(b, x, c), c): one condition, where c is constant
  auto* inner = asCall(yes);
  if (inner && inner->op == "if_then_else" && isConstNumber(inner->args[2]) && isConstNumber(no) &&
      s_.analyzer.canProve(make(ExprKind::EQ, inner->args[2], no)))
    return ifThenElse(make(ExprKind::And, condition, inner->args[0]), inner->args[1], no);
  return r;
}

Expr Rewriter::visitCall(const Expr& e) {
  auto* n = as<CallNode>(e);
  if (n->op == "if_then_else") return visitIfThenElse(e);
  bool changed = false;
  auto args = visitAll(n->args, changed);
  if (n->op == "likely") {
    if (isConstInt(args[0])) return args[0];
    if (Expr known = fromLiterals(args[0])) return known;
  } else if (n->op == "shift_right" || n->op == "shift_left") {
    auto *x = asInt(args[0]), *y = asInt(args[1]);
    if (x && y && y->value >= 0 && y->value < e->dtype.bits)
      return intImm(n->op == "shift_left" ? x->value << y->value : x->value >> y->value, args[0]->dtype);
  } else if (n->op == "ceil") {
    if (isConstInt(args[0])) return cast(e->dtype, args[0]);
    if (args[0]->kind == ExprKind::FloatImm)
      return cast(e->dtype, floatImm(std::ceil(as<FloatImmNode>(args[0])->value), args[0]->dtype));
    if (auto* log = asCall(args[0]); log && log->op == "log2" && log->args[0]->kind == ExprKind::FloatImm)
      return floatImm(std::ceil(std::log2(as<FloatImmNode>(log->args[0])->value)), e->dtype);
  } else if (n->op == "clz") {
    if (auto* x = asInt(args[0])) {
      int bits = x->dtype.bits, i = bits - 1;
      while (i >= 0 && !((std::int64_t{1} << i) & x->value)) --i;
      return intImm(bits - i - 1, e->dtype);
    }
  }
  return changed ? call(e->dtype, n->op, std::move(args)) : e;
}

Expr Rewriter::visitLet(const Expr& e) {
  auto* n = as<LetNode>(e);
  Expr value = visit(n->value);
  if (isConstNumber(n->value) || n->value->kind == ExprKind::Var) {
    s_.analyzer.bind(n->var, value);
    return visit(n->body);
  }
  Expr body = visit(n->body);
  return value == n->value && body == n->body ? e : std::make_shared<LetNode>(n->var, value, body);
}

}  // namespace loom::arith
