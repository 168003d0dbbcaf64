// Index arithmetic read as sums of splits: + and - join sums, * by an iterator-free factor scales them.
#include <stdexcept>

#include "core/arith/const_fold.h"
#include "core/arith/deep_equal.h"
#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {

using ir::ExprKind;

IterMapRewriter::IterMapRewriter(const VarRanges& iters, IterMapLevel level, bool simplifyTrivial, Analyzer& analyzer,
                                 std::vector<std::string>& errors)
    : analyzer_(analyzer), level_(level), errors_(errors), paddingPredicate_(ir::boolImm(false)) {
  for (auto& [var, range] : iters) {
    if (simplifyTrivial && ir::isConst(range.extent, 1)) {
      vars_.emplace(var.get(), makeSum({}, range.min));
      continue;
    }
    // A mark starts at 0: an iterator over [min, min + extent) is the mark of var - min, plus min.
    bool fromZero = ir::isConst(range.min, 0);
    auto mark = makeMark(fromZero ? Expr(var) : Expr(var) - range.min, range.extent);
    inputs_.push_back(mark);
    if (fromZero)
      vars_.emplace(var.get(), fullSplit(mark));
    else
      vars_.emplace(var.get(), makeSum({fullSplit(mark)}, range.min));
  }
}

IterSum IterMapRewriter::rewriteIndex(const Expr& index, Round round) {
  round_ = round;
  auto sum = fuseOrFail(toSum(read(index)));
  round_ = Round::Final;
  return sum;
}

Expr IterMapRewriter::rewrite(const Expr& e) {
  if (!e) return e;
  auto result = read(e);
  if (auto* plain = std::get_if<Expr>(&result)) return *plain;
  fail("an iterator stands inside an operator that is not index arithmetic");
  return e;
}

IterExpr IterMapRewriter::read(const Expr& e) {
  switch (e->kind) {
    case ExprKind::Var: {
      auto it = vars_.find(ir::as<ir::VarNode>(e));
      return it == vars_.end() ? IterExpr(e) : it->second;
    }
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod:
      if (isIndexType(e->dtype)) return readBinary(e);
      return ir::Mutator::rewrite(e);
    default: return ir::Mutator::rewrite(e);
  }
}

namespace {

bool isPlain(const IterExpr& e) { return std::holds_alternative<Expr>(e); }

// x + 0, x * 1, x * 0, x // 1, x % 1 and their mirrors, where x may be an iterator; plain operands fold as ever.
std::optional<IterExpr> foldTrivial(ExprKind kind, const IterExpr& a, const IterExpr& b) {
  if (isPlain(a) && isPlain(b)) {
    if (auto folded = tryFold(kind, std::get<Expr>(a), std::get<Expr>(b))) return folded;
    return std::nullopt;
  }
  auto is = [](const IterExpr& e, std::int64_t value) { return isPlain(e) && ir::isConst(std::get<Expr>(e), value); };
  switch (kind) {
    case ExprKind::Add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      break;
    case ExprKind::Sub:
      if (is(b, 0)) return a;
      break;
    case ExprKind::Mul:
      if (is(a, 1) || is(b, 0)) return b;
      if (is(b, 1) || is(a, 0)) return a;
      break;
    default:
      if (is(b, 0)) throw std::domain_error("division of an iterator by zero");
      if (is(a, 0)) return a;
      if (is(b, 1)) return kind == ExprKind::FloorDiv ? a : IterExpr(ir::zero(dtypeOf(a)));
  }
  return std::nullopt;
}

enum class Sign { Plus, Minus };

// Two splits that are the same part of the same mark become one: i * 4 + i * 2 → i * 6.
void addTo(std::vector<IterSplit>& args, const IterSplit& more, Sign sign) {
  for (auto& arg : args) {
    if (!sameSplit(*arg, *more, CompareScale::No)) continue;
    auto scale = sign == Sign::Plus ? arg->scale + more->scale : arg->scale - more->scale;
    arg = makeSplit(more->source, more->lowerFactor, more->extent, scale);
    return;
  }
  auto scale = sign == Sign::Plus ? more->scale : ir::zero(more->scale->dtype) - more->scale;
  args.push_back(makeSplit(more->source, more->lowerFactor, more->extent, scale));
}

IterSum sumOf(const IterExpr& a, const IterExpr& b, Sign sign) {
  auto left = toSum(a), right = toSum(b);
  auto args = left->args;
  for (auto& arg : right->args) addTo(args, arg, sign);
  return makeSum(std::move(args), sign == Sign::Plus ? left->base + right->base : left->base - right->base);
}

IterSplit scaled(const IterSplit& split, const Expr& factor) {
  return makeSplit(split->source, split->lowerFactor, split->extent, split->scale * factor);
}

}  // namespace

IterExpr IterMapRewriter::readBinary(const Expr& e) {
  auto& op = *ir::asBinary(e);
  auto a = read(op.a), b = read(op.b);
  if (auto folded = foldTrivial(e->kind, a, b)) return *folded;
  if (isPlain(a) && isPlain(b)) {
    auto &x = std::get<Expr>(a), &y = std::get<Expr>(b);
    return x == op.a && y == op.b ? e : makeNode(e->kind, x, y);
  }
  switch (e->kind) {
    case ExprKind::Add: return sumOf(a, b, Sign::Plus);
    case ExprKind::Sub: return sumOf(a, b, Sign::Minus);
    case ExprKind::Mul: return readProduct(e, std::move(a), std::move(b));
    default: return readDivision(e, a, b);
  }
}

IterExpr IterMapRewriter::readProduct(const Expr& e, IterExpr a, IterExpr b) {
  if (!isPlain(a) && !isPlain(b)) {
    fail("a product of two iterators is not affine");
    return e;
  }
  if (isPlain(a)) std::swap(a, b);
  auto& factor = std::get<Expr>(b);
  if (auto* split = std::get_if<IterSplit>(&a)) return scaled(*split, factor);
  auto& sum = *std::get<IterSum>(a);
  std::vector<IterSplit> args;
  for (auto& arg : sum.args) args.push_back(scaled(arg, factor));
  return makeSum(std::move(args), sum.base * factor);
}

IterExpr IterMapRewriter::readDivision(const Expr& e, const IterExpr& a, const IterExpr& b) {
  if (!isPlain(b)) {
    fail("the divisor is an iterator");
    return e;
  }
  auto dividend = fusedDividend(a);
  if (!dividend) return e;
  auto& divisor = std::get<Expr>(b);
  auto result = e->kind == ExprKind::FloorDiv ? floorDivide(dividend->args[0], dividend->base, divisor)
                                              : floorModulo(dividend->args[0], dividend->base, divisor);
  return result ? *result : IterExpr(e);
}

std::vector<Expr> factorsOf(const Expr& e) {
  auto* product = ir::asBinary(e, ExprKind::Mul);
  if (!product) return {e};
  auto factors = factorsOf(product->a);
  for (auto& factor : factorsOf(product->b)) factors.push_back(factor);
  return factors;
}

Expr normalizedProduct(const Expr& lhs, const Expr& rhs) {
  std::int64_t constant = 1;
  Expr product = ir::one(lhs->dtype);
  for (auto* side : {&lhs, &rhs}) {
    for (auto& factor : factorsOf(*side)) {
      if (auto* value = ir::asInt(factor))
        constant *= value->value;
      else
        product = product * factor;
    }
  }
  return constant == 1 ? product : product * ir::intImm(constant, product->dtype);
}

bool sameSplit(const IterSplitNode& a, const IterSplitNode& b, CompareScale scale) {
  return a.source == b.source && deepEqual(a.lowerFactor, b.lowerFactor) && deepEqual(a.extent, b.extent) &&
         (scale == CompareScale::No || deepEqual(a.scale, b.scale));
}

}  // namespace loom::arith
