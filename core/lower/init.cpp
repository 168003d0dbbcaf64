#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

class InitLowering : public Mutator {
 public:
  Block rewriteBlock(const Block& b) override {
    Block inner = Mutator::rewriteBlock(b);
    if (!inner->init) return inner;
    Expr first;
    for (const IterVar& iter : inner->iters) {
      if (iter.type != IterType::Reduce) continue;
      Expr atFirst = eq(iter.var, iter.domain.min);
      first = first ? andOf(first, atFirst) : atFirst;
    }
    return edit(*inner, [&](BlockNode& n) {
      Stmt init = first ? ifThen(first, n.init) : n.init;
      n.body = seq({init, n.body});
      n.init = nullptr;
    });
  }
};

}  // namespace

Stmt lowerInit(const Stmt& s) { return InitLowering().rewrite(s); }

}  // namespace loom::lower
