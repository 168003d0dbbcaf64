#include "core/lower/block_uniform.h"

#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/execution_group.h"

namespace loom::lower {

using namespace device;

namespace {

// Whether a value has none of the variables, and loads from nothing but what `mayLoad` says.
template <class MayLoad>
class SameValue : public ir::Visitor {
 public:
  SameValue(const std::array<Var, 3>& without, const MayLoad& mayLoad) : without_(without), mayLoad_(mayLoad) {}
  using ir::Visitor::visit;
  void visit(const ir::Expr& e) override {
    if (holds) ir::Visitor::visit(e);
  }
  bool holds = true;

 protected:
  void visitVar(const ir::VarNode& v) override {
    for (const Var& x : without_) holds &= x.get() != &v;
  }
  void visitLoad(const ir::LoadNode& n) override {
    ir::Visitor::visitLoad(n);
    holds = holds && mayLoad_(n.buffer.get());
  }

 private:
  const std::array<Var, 3>& without_;
  const MayLoad& mayLoad_;
};

// Finds the buffers from which all threads of the block load the same, if their indices are the same.
class LoadsAlike {
 public:
  explicit LoadsAlike(const Kernel& kernel) : kernel_(kernel) {
    for (const Buffer& b : kernel.params) kept_.insert(b.get());
    for (const Allocation& a : kernel.allocations)
      if (a.memory == Memory::Local) alike_.insert(a.buffer.get());
    if (!kernel.body) return;
    forEach(kernel.body, [&](const Stmt& s) {
      forEachAccess(s, [&](const BufferAccess& a) {
        if (!a.writes) return;
        kept_.erase(a.buffer.get());
        if (s->kind != StmtKind::Store) alike_.erase(a.buffer.get());
      });
      return true;
    });
    // What is stored may have been read from another of these: again, until none is taken away any more.
    for (std::size_t before = alike_.size() + 1; alike_.size() < before;) {
      before = alike_.size();
      follow(kernel.body, false);
    }
  }

  std::set<const ir::BufferNode*> all() && {
    kept_.merge(alike_);
    return std::move(kept_);
  }

 private:
  bool is(const ir::Expr& e) const {
    const auto mayLoad = [&](const ir::BufferNode* b) { return kept_.contains(b) || alike_.contains(b); };
    SameValue same(kernel_.threadIdx, mayLoad);
    same.visit(e);
    return same.holds;
  }

  // Takes from `alike_` the buffers that the statement may leave with different values in different threads. `varies`:
  // some threads skip the statement, or repeat it more often than others.
  void follow(const Stmt& s, bool varies) {
    if (!s || alike_.empty()) return;
    switch (s->kind) {
      case StmtKind::Store: {
        const auto& n = *as<StoreNode>(s);
        if (!alike_.contains(n.to.buffer.get())) return;
        const bool same = !varies && is(n.value) && std::ranges::all_of(n.to.at, [&](const Expr& i) { return is(i); });
        if (!same) alike_.erase(n.to.buffer.get());
        return;
      }
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) follow(child, varies);
        return;
      case StmtKind::Block: return follow(as<BlockNode>(s)->body, varies);
      case StmtKind::Loop: return follow(as<LoopNode>(s)->body, varies || !is(as<LoopNode>(s)->extent));
      case StmtKind::If:
        varies |= !is(as<IfNode>(s)->condition);
        follow(as<IfNode>(s)->yes, varies);
        return follow(as<IfNode>(s)->no, varies);
      case StmtKind::Operation:
      case StmtKind::Sync: return;
    }
  }

  const Kernel& kernel_;
  std::set<const ir::BufferNode*> kept_;   // global memory that the kernel doesn't write
  std::set<const ir::BufferNode*> alike_;  // each thread has its own, and all hold the same
};

}  // namespace

bool BlockUniform::is(const ir::Expr& e) const { return isAlike(e, kernel_.threadIdx); }

bool BlockUniform::isAlike(const ir::Expr& e, const std::array<Var, 3>& without) const {
  const auto mayLoad = [&](const ir::BufferNode* b) {
    if (!alike_) alike_ = LoadsAlike(kernel_).all();
    return alike_->contains(b);
  };
  SameValue same(without, mayLoad);
  same.visit(e);
  return same.holds;
}

// A comparison comes out alike where it compares a multiple of 32 lanes, whatever the lane adds to it: the difference
// is below 0 where its quotient by 32 is.
bool BlockUniform::isInWarps(const ir::Expr& e) const {
  using ir::ExprKind;
  if (kernel_.block[0] % kWarpLanes != 0) return is(e);
  const Var &x = kernel_.threadIdx[0], warp = ir::makeVar("warp", x->dtype), lane = ir::makeVar("lane", x->dtype);
  const auto number = [&](std::int64_t n) { return ir::intImm(n, x->dtype); };
  if (const auto* n = ir::asBinary(e)) {
    const bool isInt = n->a->dtype.isInt();
    const auto differAlike = [&](const Expr& a, const Expr& b, int less) {
      return isInWarps(ir::floordiv(a - b - ir::intImm(less, a->dtype), ir::intImm(kWarpLanes, a->dtype)));
    };
    if (e->kind == ExprKind::And || e->kind == ExprKind::Or) return isInWarps(n->a) && isInWarps(n->b);
    if (e->kind == ExprKind::LT && isInt) return differAlike(n->a, n->b, 0);
    if (e->kind == ExprKind::LE && isInt) return differAlike(n->a, n->b, 1);
    if (e->kind == ExprKind::GT && isInt) return differAlike(n->b, n->a, 0);
    if (e->kind == ExprKind::GE && isInt) return differAlike(n->b, n->a, 1);
  }
  arith::Analyzer analyzer;
  analyzer.bind(warp, ir::Range{number(0), number(kernel_.block[0] / kWarpLanes)});
  analyzer.bind(lane, ir::Range{number(0), number(kWarpLanes)});
  const Expr ofLane = analyzer.simplify(ir::substitute(e, {{x.get(), warp * number(kWarpLanes) + lane}}));
  return isAlike(ofLane, {lane});
}

}  // namespace loom::lower
