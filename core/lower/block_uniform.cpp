#include "core/lower/block_uniform.h"

#include <algorithm>

#include "core/device/effects.h"
#include "core/ir/visit.h"

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
  bool same = true;
  ir::forEachExpr(e, [&](const ir::Expr& x) {
    for (const Var& v : kernel_.threadIdx) same &= x != Expr(v);
    if (x->kind != ir::ExprKind::Load) return;
    const ir::BufferNode* read = ir::as<ir::LoadNode>(x)->buffer.get();
    same &= kept_.contains(read) || alike_.contains(read);
  });
  return same;
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
