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

BlockUniform::BlockUniform(const Kernel& kernel) : kernel_(kernel) {
  for (const Buffer& b : kernel.params) kept_.insert(b.get());
  for (const Allocation& a : kernel.allocations)
    if (a.memory == Memory::Local) alike_.insert(a.buffer.get());
  if (!kernel.body) return;
  forEach(kernel.body, [&](const Stmt& s) {
    for (const MemoryEffect& e : effectsOf(s).memory) {
      if (!e.writes()) continue;
      kept_.erase(e.place.buffer.get());
      if (s->kind != StmtKind::Store) alike_.erase(e.place.buffer.get());
    }
    return true;
  });
  // What is stored may have been read from another of these: again, until none is taken away any more.
  for (std::size_t before = alike_.size() + 1; alike_.size() < before;) {
    before = alike_.size();
    follow(kernel.body, false);
  }
}

bool BlockUniform::is(const ir::Expr& e) const {
  const auto isOfThreads = [&](const ir::VarNode* v) {
    return std::ranges::any_of(kernel_.threadIdx, [&](const Var& t) { return t.get() == v; });
  };
  return !ir::usesVar(e, isOfThreads) && loadsAlike(e);
}

bool BlockUniform::loadsAlike(const ir::Expr& e) const {
  bool alike = true;
  ir::forEachExpr(e, [&](const ir::Expr& x) {
    if (x->kind != ir::ExprKind::Load) return;
    const ir::BufferNode* read = ir::as<ir::LoadNode>(x)->buffer.get();
    alike &= kept_.contains(read) || alike_.contains(read);
  });
  return alike;
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
  return !ir::usesVar(ofLane, [&](const ir::VarNode* v) { return v == lane.get(); }) && loadsAlike(ofLane);
}

void BlockUniform::follow(const Stmt& s, bool varies) {
  if (!s) return;
  switch (s->kind) {
    case StmtKind::Store: {
      const auto& n = *as<StoreNode>(s);
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

}  // namespace loom::lower
