#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

bool isNothing(const Stmt& s) { return s->kind == StmtKind::Evaluate && isConst(as<EvaluateNode>(s)->value, 0); }

class AssumptionDropper : public Mutator {
 public:
  using Mutator::rewrite;

 protected:
  Stmt rewriteEvaluate(const Stmt& s) override {
    const auto* call = asCall(as<EvaluateNode>(s)->value);
    return call && call->op == "assume" ? evaluate(intImm(0)) : s;
  }
  Stmt rewriteFor(const Stmt& s) override {
    const Stmt after = Mutator::rewriteFor(s);
    return after != s && isNothing(as<ForNode>(after)->body) ? evaluate(intImm(0)) : after;
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const Stmt after = Mutator::rewriteRealize(s);
    return after != s && isNothing(as<BlockRealizeNode>(after)->block->body) ? evaluate(intImm(0)) : after;
  }
};

}  // namespace

Stmt dropAssumptions(const Stmt& s) {
  const auto* root = asRealize(s);
  if (!root) return AssumptionDropper().rewrite(s);
  const Block block = AssumptionDropper().rewriteBlock(root->block);  // the root stays, whatever is left in it
  return block == root->block ? s : Stmt(realize(root->values, root->predicate, block));
}

}  // namespace loom::lower
