#include "core/lower/bulk_stores.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/common_conditions.h"
#include "core/lower/transfers.h"

namespace loom::lower {
namespace {

using namespace device;

const OperationNode* asStore(const Stmt& s) {
  return s->kind == StmtKind::Operation && as<OperationNode>(s)->row->completes == Token::BulkStores
             ? as<OperationNode>(s)
             : nullptr;
}

// The buffer that a store takes its box from.
const Buffer& sourceOf(const OperationNode& store) { return store.places[std::size_t(store.row->find("from"))].buffer; }

bool storesFrom(const Stmt& s, const ir::BufferNode* buffer) {
  bool found = false;
  forEach(s, [&](const Stmt& inner) {
    const OperationNode* store = asStore(inner);
    return !(found |= store && (!buffer || sourceOf(*store).get() == buffer));
  });
  return found;
}

bool writes(const Stmt& s, const ir::BufferNode* buffer) { return std::ranges::count(usesOf(s).written, buffer) > 0; }

// Stores that are waited for together.
struct Stores {
  std::vector<Id> origin;      // of the first one
  Axes uncovered;              // of all: only along these the first thread alone has something to wait for
  std::int64_t alignment = 1;  // bytes that the sources' addresses are multiples of
};
// Those in the statement, from the buffer or, where it's null, from all. There is one at least.
Stores storesIn(const Stmt& s, const ir::BufferNode* buffer) {
  std::optional<Stores> all;
  forEach(s, [&](const Stmt& inner) {
    const OperationNode* store = asStore(inner);
    if (!store || (buffer && sourceOf(*store).get() != buffer)) return true;
    if (!all) all = Stores{store->origin, store->uncovered};
    all->uncovered.bits &= store->uncovered.bits;
    const auto& from = store->row->operands[std::size_t(store->row->find("from"))];
    all->alignment = std::lcm(all->alignment, std::int64_t(from.alignment));
    return true;
  });
  return *all;
}

Stmt waiting(const Stores& stores, int allow, std::vector<Landed> landed) {
  auto s = makeSync(Token::BulkStores, SyncDoes::Wait, allow);
  s->uncovered = stores.uncovered;
  s->origin = stores.origin;
  s->landed = std::move(landed);
  return s;
}

bool isCommit(const Stmt& s) {
  return s->kind == StmtKind::Sync && as<SyncNode>(s)->token == Token::BulkStores &&
         as<SyncNode>(s)->does == SyncDoes::Commit;
}

bool dependsOn(const Expr& e, const LoopNode& loop) {
  return ir::usesVar(e, [&](const ir::VarNode* v) { return v == loop.var.get(); });
}
bool isOnce(const LoopNode& loop) { return ir::isConst(loop.extent, 1); }

// Whether the condition, once it doesn't hold in an iteration of the loop, holds in none that follows.
bool endsFor(const Expr& condition, const LoopNode& loop) {
  const auto grows = [&](const Expr& e) {
    arith::Analyzer analyzer;
    analyzer.bind(loop.var, ir::Range{ir::intImm(0, loop.var->dtype), loop.extent}, true);
    const Expr next = ir::substitute(e, {{loop.var.get(), loop.var + ir::intImm(1, loop.var->dtype)}});
    return analyzer.constIntBound(analyzer.simplify(next - e)).min >= 0;
  };
  return std::ranges::all_of(conjuncts(condition), [&](const Expr& c) {
    if (!dependsOn(c, loop)) return true;
    const auto* compared = ir::asBinary(c);
    if (!compared) return false;
    switch (c->kind) {
      case ir::ExprKind::LT:
      case ir::ExprKind::LE: return grows(compared->a - compared->b);
      case ir::ExprKind::GT:
      case ir::ExprKind::GE: return grows(compared->b - compared->a);
      default: return false;
    }
  });
}

// The waits that one buffer needs, from which the copy engine stores, and its slots.
class Staging {
 public:
  Staging(Kernel& kernel, const RingSizes& sizes, const Buffer& buffer)
      : kernel_(kernel), stores_(storesIn(kernel.body, buffer.get())), buffer_(buffer) {
    if (const auto asked = sizes.slotsOf(buffer_)) slots_ = asked->count;
  }

  // Returns whether the buffer has several slots now.
  bool run() {
    if (slots_ > 1) stage_ = stageOf(kernel_.body, false);
    if (stage_ && !storesEachSlot()) stage_ = nullptr;
    kernel_.body = walk(kernel_.body);
    const std::int64_t unit = stores_.alignment / std::gcd(stores_.alignment, std::int64_t(buffer_->dtype.bytes()));
    for (Allocation& a : kernel_.allocations) {
      if (a.buffer != buffer_) continue;
      a.elements = (a.elements + unit - 1) / unit * unit;
      if (stage_) multiply(a, slots_, kernel_.body);
    }
    return stage_ != nullptr;
  }

 private:
  bool stores(const Stmt& s) const { return storesFrom(s, buffer_.get()); }
  bool writesTo(const Stmt& s) const { return writes(s, buffer_.get()); }

  // The sequence in a loop that alone accesses the buffer: first writes it, then stores it. Null: there is no such one,
  // so that its slots wouldn't be used in turn.
  const StmtNode* stageOf(const Stmt& s, bool isRepeated) const {
    if (!s || !stores(s)) return nullptr;
    if (s->kind == StmtKind::Loop) return stageOf(as<LoopNode>(s)->body, true);
    if (s->kind == StmtKind::Block) return stageOf(as<BlockNode>(s)->body, isRepeated);
    if (s->kind == StmtKind::If) {
      const StmtNode* yes = stageOf(as<IfNode>(s)->yes, isRepeated);
      return yes ? yes : stageOf(as<IfNode>(s)->no, isRepeated);
    }
    if (s->kind != StmtKind::Seq) return nullptr;
    const std::vector<Stmt>& stmts = as<SeqNode>(s)->stmts;
    const auto writesHere = [&](const Stmt& c) { return writesTo(c); };
    const auto first = std::ranges::find_if(stmts, [&](const Stmt& c) { return stores(c); });
    if (std::none_of(stmts.begin(), first, writesHere)) return stageOf(*first, isRepeated);
    const bool inTurn = isRepeated && std::none_of(first, stmts.end(), writesHere);
    return inTurn && countUses(s).at(buffer_.get()) == countUses(kernel_.body).at(buffer_.get()) ? s.get() : nullptr;
  }

  // A condition under which groups of stores are made, and how many of the loops around the stage are around it.
  struct Condition {
    const IfNode* node;
    std::size_t loops;
  };
  // The conditions, and the loops around the stage. `loops` are those around the statement.
  struct Conditions {
    std::vector<Condition> all;
    std::vector<const LoopNode*> ofStage;
  };
  void gather(const Stmt& s, std::vector<const LoopNode*> loops, Conditions& found) const {
    if (!s || !stores(s)) return;
    if (s.get() == stage_) found.ofStage = loops;
    switch (s->kind) {
      case StmtKind::Loop:
        loops.push_back(as<LoopNode>(s));
        return gather(as<LoopNode>(s)->body, std::move(loops), found);
      case StmtKind::If:
        found.all.push_back({as<IfNode>(s), loops.size()});
        gather(as<IfNode>(s)->yes, loops, found);
        return gather(as<IfNode>(s)->no, loops, found);
      case StmtKind::Block: return gather(as<BlockNode>(s)->body, std::move(loops), found);
      case StmtKind::Seq: {
        // What is left out of a group that is committed anyway makes it smaller.
        const std::vector<Stmt>& stmts = as<SeqNode>(s)->stmts;
        for (auto at = stmts.begin(); at != stmts.end(); ++at)
          if (std::none_of(at + 1, stmts.end(), isCommit)) gather(*at, loops, found);
        return;
      }
      default: return;
    }
  }

  // Whether waits that count groups of stores count slots: each iteration of the loops around the stage, which uses the
  // next slot, makes a group of stores at least, but for iterations that use each slot equally often and those after
  // which there are no groups any more.
  bool storesEachSlot() const {
    Conditions found;
    gather(kernel_.body, {}, found);
    const std::vector<const LoopNode*>& loops = found.ofStage;
    const auto varies = [&](const Expr& e, std::size_t among) {
      return std::any_of(loops.begin(), loops.begin() + std::ptrdiff_t(among),
                         [&](const LoopNode* l) { return !isOnce(*l) && dependsOn(e, *l); });
    };
    if (std::ranges::any_of(loops, [&](const LoopNode* l) { return varies(l->extent, loops.size()); })) return false;
    return std::ranges::all_of(found.all, [&](const Condition& c) {
      const std::size_t around = std::min(c.loops, loops.size());
      const Expr& condition = c.node->condition;
      bool isOfMemory = false;
      ir::forEachExpr(condition, [&](const Expr& e) { isOfMemory |= ir::asLoad(e) != nullptr; });
      const auto repeated = std::ranges::find_if(loops, [](const LoopNode* l) { return !isOnce(*l); });
      const auto first = std::size_t(repeated - loops.begin());
      if (first >= around || (!isOfMemory && !varies(condition, around))) return true;
      std::int64_t turns = 1;
      for (std::size_t n = around; n < loops.size(); ++n) turns *= ir::constantOr(loops[n]->extent, 1) % slots_;
      if (around < loops.size() && turns % slots_ == 0) return true;
      if (isOfMemory || stores(c.node->no)) return false;
      const bool byFirst =
          std::none_of(loops.begin() + std::ptrdiff_t(first) + 1, loops.begin() + std::ptrdiff_t(around),
                       [&](const LoopNode* l) { return !isOnce(*l) && dependsOn(condition, *l); });
      return byFirst && endsFor(condition, *loops[first]);
    });
  }

  // Waits stand where the buffer is written and may still be read: a store comes before, perhaps in the iteration
  // before.
  Stmt walk(const Stmt& s) {
    if (!s) return s;
    if (!stores(s)) {
      if (!isPending_ || !writesTo(s)) return s;
      isPending_ = false;
      std::vector<Landed> landed{{buffer_, {}, stores_.origin}};
      if (stage_) landed.front().versions = {turn()};
      return seq({waiting(stores_, stage_ ? slots_ - 1 : 0, std::move(landed)), s});
    }
    const auto inside = [&](const Stmt& outer) { return mapChildren(outer, [&](const Stmt& c) { return walk(c); }); };
    switch (s->kind) {
      case StmtKind::Loop: {
        around_.push_back(as<LoopNode>(s));
        isPending_ = true;
        const Stmt result = inside(s);
        around_.pop_back();
        isPending_ = true;
        return result;
      }
      case StmtKind::If: {
        const bool before = isPending_;
        bool either = before && !as<IfNode>(s)->no;
        const Stmt result = mapChildren(s, [&](const Stmt& branch) {
          isPending_ = before;
          Stmt changed = walk(branch);
          either |= isPending_;
          return changed;
        });
        isPending_ = either;
        return result;
      }
      case StmtKind::Seq: {
        const Stmt all = s.get() == stage_ ? withVersion(s, {buffer_.get()}, turn()) : s;
        std::vector<Stmt> out;
        for (const Stmt& child : as<SeqNode>(all)->stmts) out.push_back(walk(child));
        return seq(std::move(out));
      }
      case StmtKind::Block: return inside(s);
      default: isPending_ = true; return s;  // the store itself
    }
  }
  // The slot of an iteration, of all that the loops around have.
  Expr turn() const {
    arith::Analyzer analyzer;
    for (const LoopNode* l : around_) analyzer.bind(l->var, ir::Range{ir::intImm(0, l->var->dtype), l->extent}, true);
    return analyzer.simplify(ir::floormod(runningNumber(around_, DType::Int(32)), ir::intImm(slots_)));
  }

  Kernel& kernel_;
  const Stores stores_;
  const Buffer buffer_;
  int slots_ = 1;
  const StmtNode* stage_ = nullptr;  // where the buffer has its slots; null: it has one
  bool isPending_ = false;           // what was stored may not have been read yet
  std::vector<const LoopNode*> around_;
};

// A block's shared memory is given away when it ends: the last stores have been read before.
Stmt readAtEnd(const Stmt& s, const Stores& all) {
  if (s->kind == StmtKind::Loop || s->kind == StmtKind::Block || asStore(s)) return seq({s, waiting(all, 0, {})});
  if (s->kind == StmtKind::If)
    return mapChildren(s,
                       [&](const Stmt& child) { return storesFrom(child, nullptr) ? readAtEnd(child, all) : child; });
  std::vector<Stmt> stmts = as<SeqNode>(s)->stmts;
  for (std::size_t n = stmts.size(); n-- > 0;) {
    if (!storesFrom(stmts[n], nullptr)) continue;
    const auto behind = stmts.begin() + std::ptrdiff_t(n);
    // Threads that leave a branch out wait for what they have stored before it.
    const bool isLeftOut = stmts[n]->kind == StmtKind::If &&
                           std::any_of(stmts.begin(), behind, [](const Stmt& c) { return storesFrom(c, nullptr); });
    if (asStore(stmts[n])) {  // its commit is part of it
      stmts.push_back(waiting(all, 0, {}));
    } else if (isLeftOut) {
      stmts.insert(behind + 1, waiting(all, 0, {}));
    } else {
      stmts[n] = readAtEnd(stmts[n], all);
    }
    break;
  }
  return seq(std::move(stmts));
}

}  // namespace

bool isOfCopyEngine(const Stmt& s) {
  bool found = hasTransfers(s);
  forEach(s, [&](const Stmt& inner) {
    return !(found |=
             asStore(inner) || (inner->kind == StmtKind::Sync && as<SyncNode>(inner)->token == Token::BulkStores));
  });
  return found;
}

Buffers awaitStores(Kernel& kernel, const RingSizes& sizes) {
  std::vector<Buffer> buffers;  // that are stored from
  forEach(kernel.body, [&](const Stmt& s) {
    const OperationNode* store = asStore(s);
    if (store && std::ranges::count(buffers, sourceOf(*store)) == 0) buffers.push_back(sourceOf(*store));
    return true;
  });
  Buffers versioned;
  for (const Buffer& buffer : buffers)
    if (Staging(kernel, sizes, buffer).run()) versioned.insert(buffer.get());
  if (!buffers.empty()) kernel.body = readAtEnd(kernel.body, storesIn(kernel.body, nullptr));
  return versioned;
}

}  // namespace loom::lower
