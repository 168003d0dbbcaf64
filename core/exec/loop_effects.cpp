#include "core/exec/loop_effects.h"

#include <algorithm>
#include <utility>

#include "core/ir/equal.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"

namespace loom::exec {

using namespace ir;

namespace {

// An innermost block: what it reads and writes.
struct LeafEffects {
  const BlockNode* block = nullptr;
  std::set<const VarNode*> writes;
};

using Dimensions = std::set<std::size_t>;  // of a buffer, outermost 0

Dimensions allOf(const BufferRegion& region) {
  Dimensions all;
  for (std::size_t d = 0; d < region.region.size(); ++d) all.insert(d);
  return all;
}

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
    effects[n.id] = leaf_ ? effectInLeaf(n) : effectOf(n);
    visit(n.body);
  }
  void visitBlock(const BlockNode& n) override {
    const BlockNode* outer = std::exchange(leaf_, isLeaf(n) ? &n : nullptr);
    visit(n.body);
    leaf_ = outer;
  }

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
      for (const MatchBuffer& m : b.matches) sources_[m.buffer->data.get()] = sourceOf(m.source.buffer);
      for (const IterVar& iter : b.iters) {
        if (iter.type != IterType::Spatial && !isConst(iter.domain.extent, 1)) reductions_.insert(iter.var.get());
      }
      if (!isLeaf(b)) return true;
      LeafEffects leaf;
      leaf.block = &b;
      for (const BufferRegion& w : b.writes) leaf.writes.insert(w.buffer->data.get());
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

  // Elements of `data` that are left out along some of its dimensions leave out some elements of outputs, and touch no
  // others: no sum goes over those dimensions.
  bool staysLocal(const VarNode* data, const Dimensions& left,
                  std::set<std::pair<const VarNode*, Dimensions>> visited = {}) const {
    if (!visited.emplace(data, left).second) return true;
    for (const LeafEffects& leaf : leaves_) {
      if (leaf.writes.count(data)) continue;
      for (const BufferRegion& read : leaf.block->reads) {
        if (read.buffer->data.get() != data) continue;
        std::set<const VarNode*> along;  // what the dimensions' elements are chosen by
        // A view of another shape says nothing of these dimensions.
        const bool sameShape = std::ranges::all_of(left, [&](std::size_t d) { return d < read.region.size(); });
        for (std::size_t d : sameShape ? left : allOf(read)) {
          usesVar(read.region[d].min, [&](const VarNode* v) { return along.insert(v), false; });
        }
        for (const VarNode* v : along)
          if (reductions_.count(v)) return false;
        for (const BufferRegion& w : leaf.block->writes) {
          Dimensions of = dimensionsOf(w, [&](const VarNode* v) { return along.count(v) > 0; });
          if (!staysLocal(w.buffer->data.get(), of, visited)) return false;
        }
      }
    }
    return true;
  }

  // The dimensions of a region that such variables choose; all, where none is.
  template <class Is>
  static Dimensions dimensionsOf(const BufferRegion& region, Is is) {
    Dimensions of;
    for (std::size_t d = 0; d < region.region.size(); ++d)
      if (usesVar(region.region[d].min, is)) of.insert(d);
    return of.empty() ? allOf(region) : of;
  }

  LoopEffect effectOf(const ForNode& loop) const {
    LoopEffect effect;
    effect.thread = loop.forKind == ForKind::ThreadBinding ? loop.thread : "";
    std::set<const VarNode*> tainted{loop.var.get()};
    bool onlySpatial = true, any = false;
    std::set<const BlockNode*> inside;
    std::map<const VarNode*, Dimensions> left;  // of what is written: the dimensions along which the loop goes
    auto isTainted = [&](const VarNode* v) { return tainted.count(v) > 0; };
    auto depends = [&](const Expr& e) { return usesVar(e, isTainted); };
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
          if (!touched) continue;
          effect.writes.insert(w.buffer->data.get());
          left[w.buffer->data.get()].merge(dimensionsOf(w, isTainted));
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
        for (const BufferRegion& r : leaf.block->reads)
          if (r.buffer->data.get() == w && !inside.count(leaf.block)) readersInside = false;
      }
      effect.mayBeSampled = effect.mayBeSampled && (readersInside || staysLocal(w, left.at(w)));
    }
    return effect;
  }

  // Whose memory a buffer is, which may be a block's view.
  const VarNode* sourceOf(const Buffer& b) const {
    const auto view = sources_.find(b->data.get());
    return view == sources_.end() ? b->data.get() : view->second;
  }

  // Of a loop inside an innermost block, such as those that a tensor intrinsic means in order: around one store, it
  // chooses the elements that are stored, each iteration others, and of what is stored no others are read.
  LoopEffect effectInLeaf(const ForNode& loop) const {
    LoopEffect effect;
    if (loop.forKind != ForKind::Serial && loop.forKind != ForKind::Unrolled) return effect;
    const StoreNode* store = nullptr;
    bool plain = true;
    forEachStmt(loop.body, [&](const Stmt& s) {
      plain = plain && (s->kind == StmtKind::For || (s->kind == StmtKind::Store && !store));
      if (s->kind == StmtKind::Store) store = as<StoreNode>(s);
      return plain;
    });
    if (!plain || !store) return effect;
    const auto same = [](const std::vector<Expr>& a, const std::vector<Expr>& b) {
      return std::ranges::equal(a, b, [](const Expr& x, const Expr& y) { return structuralEqual(x, y); });
    };
    const VarNode* data = sourceOf(store->buffer);
    for (const LoadNode* read : loadsIn(store->value))
      if (sourceOf(read->buffer) == data)
        plain = plain && read->buffer == store->buffer && same(read->indices, store->indices);
    const auto chosen = [&](const Expr& index) { return asVar(index) == loop.var.get(); };
    const auto written =
        std::ranges::find(leaf_->writes, data, [](const BufferRegion& w) { return w.buffer->data.get(); });
    effect.writes.insert(data);
    effect.mayBeSampled = plain && std::ranges::any_of(store->indices, chosen) && written != leaf_->writes.end() &&
                          staysLocal(data, allOf(*written));
    return effect;
  }

  const BlockNode* leaf_ = nullptr;                   // around what is visited
  std::map<const VarNode*, const VarNode*> sources_;  // of views
  std::set<const VarNode*> parameters_, reductions_;
  std::vector<LeafEffects> leaves_;
};

}  // namespace

std::map<Id, LoopEffect> loopEffects(const Function& function) { return Analysis(function).effects; }

}  // namespace loom::exec
