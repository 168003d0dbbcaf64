#include "core/schedule/index_simplifier.h"

#include "core/arith/deep_equal.h"
#include "core/arith/iter_map.h"
#include "core/ir/build.h"

namespace loom::schedule {

using namespace ir;

namespace {

class AccessSimplifier : public IndexSimplifier {
 public:
  using IndexSimplifier::IndexSimplifier;

  Block rewriteBlock(const Block& block) override {
    const Block after = IndexSimplifier::rewriteBlock(block);
    BlockNode n = *after;
    for (auto* regions : {&n.reads, &n.writes}) {
      for (BufferRegion& region : *regions) shorten(region.region);
    }
    return std::make_shared<const BlockNode>(std::move(n));
  }

 protected:
  Stmt rewriteStore(const Stmt& s) override {
    const Stmt after = IndexSimplifier::rewriteStore(s);
    const auto* n = as<StoreNode>(after);
    return store(n->buffer, n->value, simplified(n->indices));
  }
  Expr rewriteLoad(const Expr& e) override {
    const Expr after = IndexSimplifier::rewriteLoad(e);
    const auto* n = as<LoadNode>(after);
    return std::make_shared<LoadNode>(n->buffer, simplified(n->indices), n->dtype);
  }

 private:
  void shorten(std::vector<Range>& region) {
    std::vector<Expr> starts;
    for (const Range& range : region) starts.push_back(range.min);
    starts = simplified(starts);
    for (std::size_t i = 0; i < region.size(); ++i) region[i] = {starts[i], analyzer_.simplify(region[i].extent)};
  }
};

}  // namespace

std::vector<Expr> IndexSimplifier::simplified(const std::vector<Expr>& indices) {
  Expr predicate = boolImm(true);
  for (const Expr& condition : conditions_) predicate = andOf(predicate, condition);
  auto shorter =
      arith::iterMapSimplify(indices, iterators_, predicate, arith::IterMapLevel::Surjective, analyzer_, true);
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (asInt(shorter[i]) && asVar(indices[i])) shorter[i] = indices[i];
  return shorter;
}

Block IndexSimplifier::rewriteBlock(const Block& block) {
  for (const IterVar& iter : block->iters) {
    analyzer_.bind(iter.var, iter.domain);
    iterators_.set(iter.var, iter.domain);
  }
  return Mutator::rewriteBlock(block);
}

Stmt IndexSimplifier::rewriteFor(const Stmt& s) {
  const auto* loop = as<ForNode>(s);
  const Range domain{loop->min, loop->extent};
  analyzer_.bind(loop->var, domain);
  iterators_.set(loop->var, domain);
  return Mutator::rewriteFor(s);
}

template <class F>
void IndexSimplifier::under(const Expr& condition, F f) {
  const auto held = analyzer_.enter(condition);
  const bool counts = usesVar(condition, [&](const VarNode* v) { return iterators_.contains(v); });
  if (counts) conditions_.push_back(condition);
  f();
  if (counts) conditions_.pop_back();
}

Stmt IndexSimplifier::rewriteIf(const Stmt& s) {
  const auto* n = as<IfThenElseNode>(s);
  const Expr condition = rewrite(n->condition);
  const auto* likely = asCall(condition);
  const Expr real = likely && likely->op == "likely" ? likely->args[0] : condition;
  Stmt yes, no;
  under(real, [&] { yes = rewrite(n->yes); });
  if (n->no) {
    const auto held = analyzer_.enter(analyzer_.rewriteSimplify(notOf(real)));
    no = rewrite(n->no);
  }
  if (isTrue(real)) return yes;
  if (isFalse(real)) return no ? no : evaluate(intImm(0));
  return condition == n->condition && yes == n->yes && no == n->no ? s : ifThen(condition, yes, no);
}

Stmt IndexSimplifier::rewriteLetStmt(const Stmt& s) {
  const auto* n = as<LetStmtNode>(s);
  if (arith::effectOf(n->value) == arith::Effect::Pure) analyzer_.bind(n->var, n->value);
  return Mutator::rewriteLetStmt(s);
}

Expr IndexSimplifier::rewriteCall(const Expr& e) {
  const auto* n = as<CallNode>(e);
  if (n->op != "if_then_else") return Mutator::rewriteCall(e);
  const Expr condition = rewrite(n->args[0]);
  Expr yes, no;
  under(condition, [&] { yes = rewrite(n->args[1]); });
  under(Expr(std::make_shared<NotNode>(condition)), [&] { no = rewrite(n->args[2]); });
  if (isFalse(condition)) return no;
  if (isTrue(condition)) return yes;
  if (condition == n->args[0] && yes == n->args[1] && no == n->args[2]) return e;
  return call(n->dtype, n->op, {condition, yes, no});
}

Expr IndexSimplifier::rewriteSelect(const Expr& e) {
  const auto* n = as<SelectNode>(e);
  const Expr condition = rewrite(n->condition);
  Expr yes, no;
  {
    const auto held = analyzer_.enter(condition);
    yes = rewrite(n->yes);
  }
  {
    const auto held = analyzer_.enter(analyzer_.rewriteSimplify(notOf(condition)));
    no = rewrite(n->no);
  }
  if (isFalse(condition)) return no;
  if (isTrue(condition)) return yes;
  return condition == n->condition && yes == n->yes && no == n->no ? e : select(condition, yes, no);
}

Block withSimplifiedAccesses(const Block& block, arith::Analyzer& analyzer) {
  return AccessSimplifier(analyzer).rewriteBlock(block);
}

}  // namespace loom::schedule
