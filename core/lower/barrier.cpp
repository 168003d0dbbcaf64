#include <algorithm>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/access_conflicts.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"

namespace loom::lower {
namespace {

using namespace device;

// The accesses of a statement: before its first barrier, and after its last. Without a barrier both are all of them.
struct Summary {
  std::vector<SharedAccess> head, tail;
  bool barrier = false;
};

class BarrierPlacement {
 public:
  BarrierPlacement(const Kernel& kernel, const std::vector<ir::Symbol>& symbols)
      : kernel_(kernel), addresses_(kernel, symbols), conflicts_(kernel) {
    for (const Allocation& a : kernel.allocations) {
      if (isShared(a.memory)) visible_.insert(a.buffer.get());
    }
    // Global memory needs a barrier only where this kernel both writes and reads it.
    const BufferUses uses = usesOf(kernel.body);
    const std::set<const ir::BufferNode*> read(uses.read.begin(), uses.read.end());
    for (const ir::BufferNode* b : uses.written) {
      if (memoryOf(b->scope) == Memory::Global && read.count(b)) visible_.insert(b);
    }
  }

  Result<Stmt> run() {
    if (kernel_.threads() == 1) return kernel_.body;
    Summary summary;
    Stmt body = walk(kernel_.body, summary);
    if (error_) return Failure(*error_);
    return body;
  }

 private:
  // --- accesses ---

  std::vector<SharedAccess> accesses(const Stmt& s) {
    std::vector<SharedAccess> out;
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (!visible_.count(effect.place.buffer.get())) continue;
      SharedAccess a;
      a.buffer = effect.place.buffer.get();
      a.stmt = s.get();
      a.write = effect.writes();
      a.repeatable = effect.repeatable;
      if (!effect.tile) locate(a, effect.place);
      a.uncovered = Axes{static_cast<std::uint8_t>(s->uncovered.bits & 0b111)};
      a.loops = loops_;
      a.guard = guard_;
      out.push_back(std::move(a));
    }
    return out;
  }

  // Of single elements the coordinates, too: they tell threads apart where a flat index alone doesn't. A vector has
  // none, and an index that is loaded itself tells nothing.
  void locate(SharedAccess& a, const BufferPlace& place) {
    a.index = addresses_.offset(place);
    if (a.index->kind == ir::ExprKind::Ramp) {
      const auto& r = *ir::as<ir::RampNode>(a.index);
      a.lanes = r.dtype.lanes * std::max<std::int64_t>(1, ir::constantOr(r.stride, 1));
      a.index = r.base;
      return;
    }
    if (place.at.size() < 2) return;
    bool loads = false;
    for (const Expr& index : place.at)
      ir::forEachExpr(index, [&](const Expr& x) { loads |= x->kind == ir::ExprKind::Load; });
    if (!loads) a.coordinates = place.at;
  }

  // --- the walk ---

  bool divergent(const Expr& condition) const {
    bool found = false;
    ir::forEachExpr(condition, [&](const Expr& x) {
      for (const Var& v : kernel_.threadIdx) found |= x == Expr(v);
      found |= x->kind == ir::ExprKind::Load;
    });
    return found;
  }

  // Names the blocks inside the branch: one of them fills what another reads.
  Error branchError(const IfNode& n) const {
    std::vector<Id> subjects = block_ ? std::vector<Id>{block_} : std::vector<Id>{};
    std::string names;
    auto collect = [&](const Stmt& s) {
      if (s->kind != StmtKind::Block) return true;
      const auto& b = *as<BlockNode>(s);
      if (std::find(subjects.begin(), subjects.end(), b.block) == subjects.end()) {
        subjects.push_back(b.block);
        names += (names.empty() ? "" : ", ") + b.name;
      }
      return true;
    };
    forEach(n.yes, collect);
    forEach(n.no, collect);
    return notAKernel(
               names.empty() ? message("a barrier would stand in a branch that only some threads of the block "
                                       "take: one statement inside it reads what another thread wrote")
                             : message("a barrier would stand in a branch that only some threads of the block "
                                       "take (around {}): one statement inside it reads what another thread wrote",
                                       names),
               subjects,
               message(
                   "sch.split(…) with factors that divide the extents, or sch.compute_at(…) that takes the copy out "
                   "of the branch"))
        .value();
  }

  static void append(std::vector<SharedAccess>& to, const std::vector<SharedAccess>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }
  static void follow(Summary& all, const Summary& next) {
    if (!all.barrier) append(all.head, next.head);
    if (next.barrier) {
      all.tail = next.tail;
      all.barrier = true;
    } else {
      append(all.tail, next.tail);
    }
  }

  Stmt walk(const Stmt& s, Summary& summary) {
    switch (s->kind) {
      case StmtKind::Store:
      case StmtKind::Operation: summary.head = summary.tail = accesses(s); return s;
      case StmtKind::Sync: summary.barrier = meetsBlock(effectsOf(s)); return s;
      case StmtKind::Block: {
        Id outer = block_;
        block_ = as<BlockNode>(s)->block;
        Stmt result = mapChildren(s, [&](const Stmt& c) { return walk(c, summary); });
        block_ = outer;
        return result;
      }
      case StmtKind::Seq: return walkSeq(as<SeqNode>(s)->stmts, summary, nullptr);
      case StmtKind::Loop: return walkLoop(s, summary);
      case StmtKind::If: return walkIf(s, summary);
    }
    return s;
  }

  // `carried`: what the loop's previous iteration leaves pending.
  Stmt walkSeq(const std::vector<Stmt>& stmts, Summary& summary, const std::vector<SharedAccess>* carried) {
    std::vector<Stmt> out;
    std::vector<SharedAccess> pending = carried ? *carried : std::vector<SharedAccess>{};
    for (const Stmt& child : stmts) {
      Summary inner;
      Stmt placed = walk(child, inner);
      if (conflicts_.conflict(pending, inner.head)) {
        out.push_back(barrier());
        pending.clear();
        Summary wait;
        wait.barrier = true;
        follow(summary, wait);
      }
      out.push_back(placed);
      follow(summary, inner);
      if (inner.barrier) pending.clear();
      append(pending, inner.tail);
    }
    return seq(std::move(out));
  }

  Stmt walkLoop(const Stmt& s, Summary& summary) {
    const auto& loop = *as<LoopNode>(s);
    loops_.emplace_back(loop.var, loop.extent);
    addresses_.enter(loop);
    Summary first;
    Stmt body = walk(loop.body, first);
    if (!ir::isConst(loop.extent, 1) && conflicts_.conflict(first.tail, first.head)) {
      // The next iteration meets this one: the barrier stands before the first statement that would.
      Summary again;
      const Stmt& inner = loop.body;
      std::vector<Stmt> stmts = inner->kind == StmtKind::Seq ? as<SeqNode>(inner)->stmts : std::vector<Stmt>{inner};
      body = walkSeq(stmts, again, &first.tail);
      first = std::move(again);
    }
    loops_.pop_back();
    summary = std::move(first);
    return edit<LoopNode>(s, [&](LoopNode& n) { n.body = body; });
  }

  Stmt walkIf(const Stmt& s, Summary& summary) {
    const auto& n = *as<IfNode>(s);
    const std::vector<SharedAccess> condition = accesses(s);
    Summary yes, no;
    Expr outer = guard_;
    guard_ = outer ? ir::andOf(outer, n.condition) : n.condition;
    Stmt yesBody = n.yes ? walk(n.yes, yes) : nullptr;
    guard_ = outer;
    Stmt noBody = n.no ? walk(n.no, no) : nullptr;
    if ((yes.barrier || no.barrier) && divergent(n.condition) && !error_) {
      error_ = branchError(n);
    }
    summary.head = condition;
    append(summary.head, yes.head);
    append(summary.head, no.head);
    summary.tail = condition;
    append(summary.tail, yes.tail);
    append(summary.tail, no.tail);
    // A branch that may be skipped is no barrier for what comes before it.
    summary.barrier = n.no && yes.barrier && no.barrier;
    if (!summary.barrier && (yes.barrier || no.barrier)) {
      append(summary.tail, yes.head);
      append(summary.tail, no.head);
      append(summary.head, yes.tail);
      append(summary.head, no.tail);
    }
    return edit<IfNode>(s, [&](IfNode& m) {
      m.yes = yesBody;
      m.no = noBody;
    });
  }

  const Kernel& kernel_;
  Addressing addresses_;
  AccessConflicts conflicts_;
  std::set<const ir::BufferNode*> visible_;
  std::vector<std::pair<Var, Expr>> loops_;
  Id block_;
  Expr guard_;  // the conditions around; null for none
  std::optional<Error> error_;
};

}  // namespace

Result<Stmt> placeBarriers(const Kernel& kernel, const std::vector<ir::Symbol>& symbols) {
  return BarrierPlacement(kernel, symbols).run();
}

}  // namespace loom::lower
