#include "core/schedule/primitives/loops.h"

#include "core/arith/iter_map.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::schedule {

namespace {

// A block with iteration variables does not mention loop variables inside, so only its values and predicate are looked
// at.
class LoopVarSubstituter : public ir::Mutator {
 public:
  explicit LoopVarSubstituter(const std::vector<std::pair<ir::Var, ir::Expr>>& values) : values_(values) {}

 protected:
  ir::Expr rewriteVar(const ir::Expr& e) override {
    for (const auto& [var, value] : values_) {
      if (e == var) return ir::cast(var->dtype, value);
    }
    return e;
  }

  ir::Stmt rewriteRealize(const ir::Stmt& s) override {
    auto* realize = ir::as<ir::BlockRealizeNode>(s);
    if (realize->block->iters.empty()) return Mutator::rewriteRealize(s);
    bool same = true;
    std::vector<ir::Expr> values;
    values.reserve(realize->values.size());
    for (const auto& value : realize->values) {
      values.push_back(rewrite(value));
      same = same && values.back() == value;
    }
    ir::Expr predicate = rewrite(realize->predicate);
    if (same && predicate == realize->predicate) return s;
    return ir::realize(std::move(values), std::move(predicate), realize->block);
  }

 private:
  const std::vector<std::pair<ir::Var, ir::Expr>>& values_;
};

class BindingSimplifier : public ir::Mutator {
 public:
  BindingSimplifier(LoopDomain domain, bool preserveUnitIters)
      : domain_(std::move(domain)), preserveUnitIters_(preserveUnitIters) {}

 protected:
  ir::Stmt rewriteFor(const ir::Stmt& s) override {
    auto* loop = ir::as<ir::ForNode>(s);
    LoopDomain outside = domain_;
    domain_.set(loop->var, ir::Range{loop->min, loop->extent});
    ir::Stmt body = rewrite(loop->body);
    domain_ = std::move(outside);
    return body == loop->body ? s : ir::edit(*loop, [&](ir::ForNode& n) { n.body = body; });
  }

  ir::Stmt rewriteRealize(const ir::Stmt& s) override {
    auto* realize = ir::as<ir::BlockRealizeNode>(s);
    if (realize->values.empty()) {
      ir::Stmt body = rewrite(realize->block->body);
      if (body == realize->block->body) return s;
      auto block = ir::edit(*realize->block, [&](ir::BlockNode& n) { n.body = body; });
      return ir::realize({}, realize->predicate, block);
    }
    auto values = arith::iterMapSimplify(realize->values, domain_, realize->predicate, arith::IterMapLevel::Surjective,
                                         analyzer_, !preserveUnitIters_);
    if (values == realize->values) return s;
    return ir::realize(std::move(values), realize->predicate, realize->block);
  }

  ir::Stmt rewriteStore(const ir::Stmt& s) override { return s; }
  ir::Stmt rewriteEvaluate(const ir::Stmt& s) override { return s; }

 private:
  LoopDomain domain_;
  bool preserveUnitIters_;
  arith::Analyzer analyzer_;
};

class PredicateAppender : public ir::Mutator {
 public:
  explicit PredicateAppender(const ir::Expr& condition) : condition_(condition) {}

 protected:
  ir::Stmt rewriteRealize(const ir::Stmt& s) override {
    auto* realize = ir::as<ir::BlockRealizeNode>(s);
    return ir::realize(realize->values, ir::andOf(realize->predicate, condition_), realize->block);
  }

 private:
  const ir::Expr& condition_;
};

}  // namespace

ir::Stmt substituteLoopVars(const ir::Stmt& body, const std::vector<std::pair<ir::Var, ir::Expr>>& values) {
  return LoopVarSubstituter(values).rewrite(body);
}

ir::Stmt simplifyBindings(const ir::Stmt& stmt, const Program& p, Id at, bool preserveUnitIters) {
  LoopDomain domain;
  for (Id above : p.tree().loopsAbove(at)) {
    auto loop = p.tree().loop(above);
    domain.set(loop->var, ir::Range{loop->min, loop->extent});
  }
  return BindingSimplifier(std::move(domain), preserveUnitIters).rewrite(stmt);
}

ir::Stmt appendPredicate(const ir::Stmt& stmt, const ir::Expr& condition) {
  return PredicateAppender(condition).rewrite(stmt);
}

ir::For serialLoop(Id id, ir::Var var, ir::Expr extent, ir::Stmt body) {
  auto loop = std::make_shared<ir::ForNode>();
  loop->id = id;
  loop->min = ir::zero(var->dtype);
  if (auto* constant = ir::asInt(extent)) extent = ir::intImm(constant->value, var->dtype);
  loop->var = std::move(var);
  loop->extent = std::move(extent);
  loop->body = std::move(body);
  return loop;
}

}  // namespace loom::schedule
