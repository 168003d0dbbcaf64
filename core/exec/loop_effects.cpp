#include "core/exec/loop_effects.h"

#include "core/ir/equal.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

// An innermost block: what it reads and writes, and whether it reads at reduction iterators.
struct LeafEffects {
  const BlockNode* block = nullptr;
  std::set<const VarNode*> writes;
  std::map<const VarNode*, bool> reads;  // data → through a reduction
};

class Analysis : public Visitor {
 public:
  explicit Analysis(const Function& f) {
    for (const Parameter& p : f->params) {
      if (p.buffer) parameters_.insert(p.buffer->data.get());
    }
    collect(f->body);
    visit(Stmt(f->body));
  }
  std::map<Id, LoopEffect> effects;

 protected:
  void visitFor(const ForNode& n) override {
    effects[n.id] = effectOf(n);
    visit(n.body);
  }
  void visitBlock(const BlockNode& n) override { visit(n.body); }

 private:
  static bool isLeaf(const BlockNode& b) {
    bool leaf = true;
    forEachStmt(b.body, [&](const Stmt& s) {
      leaf = leaf && s->kind != StmtKind::BlockRealize;
      return leaf;
    });
    return leaf;
  }

  void collect(const Stmt& body) {
    forEachStmt(body, [&](const Stmt& s) {
      auto* r = asRealize(s);
      if (!r) return true;
      const BlockNode& b = *r->block;
      for (const IterVar& iter : b.iters) {
        if (iter.type != IterType::Spatial && !isConst(iter.domain.extent, 1)) reductions_.insert(iter.var.get());
      }
      if (!isLeaf(b)) return true;
      LeafEffects leaf;
      leaf.block = &b;
      for (const BufferRegion& w : b.writes) leaf.writes.insert(w.buffer->data.get());
      for (const BufferRegion& read : b.reads) {
        bool through = false;
        for (const Range& range : read.region) {
          through = through || usesVar(range.min, [&](const VarNode* v) { return reductions_.count(v) > 0; });
        }
        leaf.reads[read.buffer->data.get()] |= through;
      }
      leaves_.push_back(std::move(leaf));
      return true;
    });
  }

  // Does the block read elements of what it writes other than the one that it writes?
  static bool readsElsewhere(const BlockNode& b) {
    for (const BufferRegion& w : b.writes) {
      for (const BufferRegion& r : b.reads) {
        if (r.buffer->data != w.buffer->data) continue;
        for (std::size_t d = 0; d < r.region.size(); ++d) {
          if (!structuralEqual(r.region[d].min, w.region[d].min)) return true;
        }
      }
    }
    return false;
  }

  // An element that is left out of `data` leaves out some elements of outputs, and touches no others.
  bool staysLocal(const VarNode* data, std::set<const VarNode*> visited = {}) const {
    if (!visited.insert(data).second) return true;
    for (const LeafEffects& leaf : leaves_) {
      auto read = leaf.reads.find(data);
      if (read == leaf.reads.end() || leaf.writes.count(data)) continue;
      if (read->second) return false;
      for (const VarNode* w : leaf.writes) {
        if (!staysLocal(w, visited)) return false;
      }
    }
    return true;
  }

  LoopEffect effectOf(const ForNode& loop) const {
    LoopEffect effect;
    effect.thread = loop.forKind == ForKind::ThreadBinding ? loop.thread : "";
    std::set<const VarNode*> tainted{loop.var.get()};
    bool onlySpatial = true, any = false;
    std::set<const BlockNode*> inside;
    auto depends = [&](const Expr& e) { return usesVar(e, [&](const VarNode* v) { return tainted.count(v) > 0; }); };
    forEachStmt(loop.body, [&](const Stmt& s) {
      if (s->kind == StmtKind::Let && depends(as<LetStmtNode>(s)->value)) tainted.insert(as<LetStmtNode>(s)->var.get());
      auto* r = asRealize(s);
      if (!r) return true;
      const BlockNode& b = *r->block;
      effect.blocks.insert(b.id);
      bool touched = false;
      for (std::size_t i = 0; i < b.iters.size(); ++i) {
        if (!depends(r->values[i])) continue;
        touched = true;
        tainted.insert(b.iters[i].var.get());
        if (b.iters[i].type != IterType::Spatial) onlySpatial = false;
      }
      if (isLeaf(b)) {
        inside.insert(&b);
        for (const BufferRegion& w : b.writes) {
          for (const Range& range : w.region) touched = touched || depends(range.min);
          if (touched) effect.writes.insert(w.buffer->data.get());
        }
        any = any || touched;
        if (touched && readsElsewhere(b)) onlySpatial = false;
      }
      return true;
    });
    effect.mayBeSampled = onlySpatial && any;
    for (const VarNode* w : effect.writes) {
      bool readersInside = !parameters_.count(w);
      for (const LeafEffects& leaf : leaves_) {
        if (leaf.reads.count(w) && !inside.count(leaf.block)) readersInside = false;
      }
      effect.mayBeSampled = effect.mayBeSampled && (readersInside || staysLocal(w));
    }
    return effect;
  }

  std::set<const VarNode*> parameters_, reductions_;
  std::vector<LeafEffects> leaves_;
};

}  // namespace

std::map<Id, LoopEffect> loopEffects(const Function& function) { return Analysis(function).effects; }

}  // namespace loom::exec
