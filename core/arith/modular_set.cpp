#include <bit>
#include <cstdlib>

#include "core/arith/int_math.h"
#include "core/arith/pattern.h"
#include "core/arith/state.h"

namespace loom::arith {
namespace {

using namespace ir;

constexpr ModularSet kEverything{1, 0};

// Brings base into [0, coeff); a negative coefficient negates the base.
ModularSet normal(std::int64_t coeff, std::int64_t base) {
  if (coeff < 0) coeff = -coeff, base = -base;
  if (coeff != 0) base = floorMod(base, coeff);
  return {coeff, base};
}

ModularSet unite(ModularSet a, ModularSet b) {
  std::int64_t coeff = zeroAwareGcd(a.coeff, b.coeff);
  if (coeff == 0) return a.base == b.base ? a : kEverything;
  std::int64_t base0 = a.base % coeff, base1 = b.base % coeff;
  if (base0 == base1) return normal(coeff, base0);
  return normal(zeroAwareGcd(zeroAwareGcd(base0, base1), coeff), base0);
}

class ModularEvaluator {
 public:
  explicit ModularEvaluator(AnalyzerState& s) : s_(s) {}

  ModularSet visit(const Expr& e) {
    switch (e->kind) {
      case ExprKind::IntImm: return {0, as<IntImmNode>(e)->value};
      case ExprKind::Var: {
        auto* f = s_.factsOf(e.get());
        return f && f->modular ? *f->modular : kEverything;
      }
      case ExprKind::Cast: return visit(as<CastNode>(e)->value);
      case ExprKind::Select: return unite(visit(as<SelectNode>(e)->yes), visit(as<SelectNode>(e)->no));
      case ExprKind::Call: return call(as<CallNode>(e));
      case ExprKind::Let: return let(as<LetNode>(e));
      default: return isBinary(e->kind) && e->kind <= ExprKind::Max ? binary(as<BinaryNode>(e)) : kEverything;
    }
  }

 private:
  ModularSet binary(const BinaryNode* n) {
    switch (n->kind) {
      case ExprKind::Div:
      case ExprKind::FloorDiv: {
        ModularSet b = visit(n->b);
        return b.coeff == 0 ? divide(n->a, b.base, n->kind == ExprKind::FloorDiv) : kEverything;
      }
      case ExprKind::Mod:
      case ExprKind::FloorMod: {
        ModularSet b = visit(n->b);
        return b.coeff == 0 ? modulo(n->a, b.base, n->kind == ExprKind::FloorMod) : kEverything;
      }
      default: break;
    }
    ModularSet a = visit(n->a), b = visit(n->b);
    switch (n->kind) {
      case ExprKind::Add: return normal(zeroAwareGcd(a.coeff, b.coeff), a.base + b.base);
      case ExprKind::Sub: return normal(zeroAwareGcd(a.coeff, b.coeff), a.base - b.base);
      case ExprKind::Mul: {
        // (p x + n) (q y + m) = pq xy + pm x + qn y + nm
        std::int64_t pm = a.coeff * b.base, qn = a.base * b.coeff;
        return normal(zeroAwareGcd(a.coeff * b.coeff, zeroAwareGcd(pm, qn)), a.base * b.base);
      }
      default: return unite(a, b);
    }
  }

  ModularSet divide(const Expr& e, std::int64_t value, bool roundDown) {
    ModularSet a = visit(e);
    if (value == 0 || a.coeff % value != 0) return kEverything;
    if (a.base == 0) return normal(std::abs(a.coeff / value), 0);
    if (a.base > 0 && value > 0 && (roundDown || s_.analyzer.canProveGreaterEqual(e, 0)))
      return normal(a.coeff / value, a.base / value);
    return kEverything;
  }

  ModularSet modulo(const Expr& e, std::int64_t value, bool roundDown) {
    ModularSet a = visit(e);
    if (value == 0) return kEverything;
    std::int64_t coeff = zeroAwareGcd(a.coeff, value);
    if (a.base % coeff == 0 || (a.base > 0 && (roundDown || s_.analyzer.canProveGreaterEqual(e, 0))))
      return normal(coeff, a.base % coeff);
    return kEverything;
  }

  ModularSet call(const CallNode* n) {
    if (n->args.size() != 2 || (n->op != "shift_right" && n->op != "bitwise_and")) return kEverything;
    ModularSet b = visit(n->args[1]);
    if (b.coeff != 0) return kEverything;
    if (n->op == "shift_right") return divide(n->args[0], std::int64_t{1} << b.base, true);
    auto mask = static_cast<std::uint64_t>(b.base + 1);
    return std::has_single_bit(mask) ? modulo(n->args[0], b.base + 1, true) : kEverything;
  }

  ModularSet let(const LetNode* n) {
    auto* f = s_.factsOf(n->var.get());
    if (f && f->modular) return visit(n->body);
    ModularSet value = visit(n->value);
    s_.factsFor(n->var).modular = value;
    ModularSet body = visit(n->body);
    s_.factsFor(n->var).modular.reset();
    return body;
  }

  AnalyzerState& s_;
};

}  // namespace

ModularSet modularSetOf(AnalyzerState& state, const Expr& e) { return ModularEvaluator(state).visit(e); }

ModularSet intersect(ModularSet a, ModularSet b) {
  // a.coeff * p + a.base == b.coeff * q + b.base
  BezoutResult r = bezout(a.coeff, b.coeff);
  std::int64_t distance = b.base - a.base;
  if (r.gcd == 0) return distance == 0 ? a : ModularSet{0, 1};
  if (distance % r.gcd != 0) return {0, 1};
  return normal(a.coeff / r.gcd * b.coeff, distance / r.gcd * r.x * a.coeff + a.base);
}

std::optional<std::pair<Var, ModularSet>> modularSetFrom(const Expr& e) {
  using namespace pattern;
  Any x;
  Const coeff, base;
  if (e->kind != ExprKind::EQ) return std::nullopt;
  auto isVar = [&] { return (*x)->kind == ExprKind::Var; };
  if ((truncmod(x, coeff) == base).match(e, isVar) || (floormod(x, coeff) == base).match(e, isVar))
    return std::pair(varOf(*x), normal(*coeff, *base));
  // TVM's set for an equality with a constant is everything; kept, since results depend on it.
  if ((x == base).match(e, isVar) || (base == x).match(e, isVar)) return std::pair(varOf(*x), kEverything);
  return std::nullopt;
}

}  // namespace loom::arith
