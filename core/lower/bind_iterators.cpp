#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

// Replaces variables from a scope that grows on the way down, so that nested blocks cost one walk.
class IteratorBinding : public Mutator {
 public:
  explicit IteratorBinding(bool keepsRegions) : keepsRegions_(keepsRegions) {}

 protected:
  Expr rewriteVar(const Expr& e) override {
    auto found = values_.find(as<VarNode>(e));
    return found == values_.end() ? e : found->second;
  }

  Stmt rewriteRealize(const Stmt& s) override {
    const auto& realize = *asRealize(s);
    const BlockNode& block = *realize.block;
    for (std::size_t i = 0; i < block.iters.size(); ++i) {
      // The value may itself use iterators of the blocks around.
      values_[block.iters[i].var.get()] = rewrite(realize.values[i]);
    }
    Expr predicate = rewrite(realize.predicate);
    Block body = edit(block, [&](BlockNode& n) {
      n.iters.clear();
      if (keepsRegions_) {
        for (BufferRegion& r : n.reads) r = rewriteRegion(r);
        for (BufferRegion& r : n.writes) r = rewriteRegion(r);
      } else {
        n.reads.clear();
        for (BufferRegion& r : n.writes) r.region.clear();
      }
      for (MatchBuffer& m : n.matches) m.source = rewriteRegion(m.source);
      n.body = rewrite(n.body);
    });
    return realizeOf(predicate, body);
  }

 private:
  static Stmt realizeOf(Expr predicate, Block block) { return realize({}, std::move(predicate), std::move(block)); }

  const bool keepsRegions_;
  VarMap values_;
};

}  // namespace

Stmt bindIterators(const Stmt& s, bool keepsRegions) { return IteratorBinding(keepsRegions).rewrite(s); }

}  // namespace loom::lower
