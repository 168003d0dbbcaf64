#include "core/lower/used_elsewhere.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"

namespace loom::lower {
namespace {

using namespace device;

// An access to the buffer, and the loops around it, from the outermost on.
struct Access {
  BufferPlace place;
  bool isOfTile = false;
  bool readsBefore = false;  // it reads, and its statement stands before the store
  std::vector<const LoopNode*> loops;
};

bool isOnce(const LoopNode* loop) { return ir::isConst(loop->extent, 1); }

bool dependsOn(const Expr& e, const LoopNode& loop) {
  return ir::usesVar(e, [&](const ir::VarNode* v) { return v == loop.var.get(); });
}

// What the store accesses, and what all other statements do.
class Accesses {
 public:
  Accesses(const Kernel& kernel, const StoreNode& store) : kernel_(kernel), store_(store) { visit(kernel.body); }

  bool meet() const {
    return std::ranges::any_of(others_, [&](const Access& other) { return meets(other); });
  }

  // The outermost loop that repeats the store with what it has written to `from` since.
  const LoopNode* repeats(const Buffer& from) const {
    const auto found = std::ranges::find_if(around_, [&](const LoopNode* loop) {
      const auto varies = [&](const Expr& e) { return dependsOn(e, *loop); };
      return !isOnce(loop) && std::ranges::none_of(store_.to.at, varies) && std::ranges::none_of(conditions_, varies) &&
             std::ranges::count(usesOf(loop->body).written, from.get()) > 0;
    });
    return found == around_.end() ? nullptr : *found;
  }

 private:
  void visit(const Stmt& s) {
    if (!s) return;
    const bool isOwn = s.get() == &store_;
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (effect.place.buffer->data != store_.to.buffer->data) continue;
      if (isOwn && effect.writes()) {
        around_ = loops_;
        conditions_ = branches_;
      } else {
        others_.push_back({effect.place, effect.tile.has_value(), !effect.writes() && !isPast_ && !isOwn, loops_});
      }
    }
    isPast_ |= isOwn;
    if (s->kind == StmtKind::Loop) loops_.push_back(as<LoopNode>(s));
    if (s->kind == StmtKind::If) branches_.push_back(as<IfNode>(s)->condition);
    mapChildren(s, [&](const Stmt& child) { return visit(child), child; });
    if (s->kind == StmtKind::Loop) loops_.pop_back();
    if (s->kind == StmtKind::If) branches_.pop_back();
  }

  // The other access happens in iterations and threads of its own, but in the same block. What is read before the store
  // begins is kept apart from it by a barrier: that leaves later iterations of each loop around both.
  bool meets(const Access& other) const {
    if (!other.readsBefore || other.place.isBox()) return meets(other, 0, false);
    for (std::size_t n = 0; n < other.loops.size() && n < around_.size() && other.loops[n] == around_[n]; ++n)
      if (!isOnce(around_[n]) && meets(other, n, true)) return true;
    return false;
  }

  // The same where `loops` loops around both are in one iteration; `later`: and the next loop in a later one, if it's
  // the other access that happens.
  bool meets(const Access& other, std::size_t loops, bool later) const {
    const BufferPlace& place = other.place;
    if (other.isOfTile || place.byOffset || place.isBox() || place.lanes > 1 || place.buffer != store_.to.buffer ||
        place.at.size() != store_.to.at.size())
      return true;
    arith::Analyzer analyzer;
    const auto bind = [&](const Var& var, const Expr& extent) {
      analyzer.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
    };
    ir::VarMap renamed;
    const auto bindAgain = [&](const Var& var, const Expr& extent) {
      const Var own = ir::makeVar(var->name, var->dtype);
      bind(own, ir::substitute(extent, renamed));
      renamed[var.get()] = own;
    };
    for (int axis = 0; axis < 3; ++axis) {
      bind(kernel_.blockIdx[axis], kernel_.gridExtent(axis));
      bind(kernel_.threadIdx[axis], ir::intImm(kernel_.block[axis]));
      bindAgain(kernel_.threadIdx[axis], ir::intImm(kernel_.block[axis]));
    }
    for (const LoopNode* loop : around_) bind(loop->var, loop->extent);
    for (std::size_t n = loops; n < other.loops.size(); ++n) {
      const LoopNode& loop = *other.loops[n];
      const Expr one = ir::intImm(1, loop.var->dtype);
      bindAgain(loop.var, later && n == loops ? loop.extent - one : loop.extent);
      if (later && n == loops) renamed[loop.var.get()] = loop.var + one + renamed.at(loop.var.get());
    }
    const auto areApart = [&](Expr a, Expr b) {
      if (a->dtype.lanes > 1 || b->dtype.lanes > 1) return false;
      if (a->dtype != b->dtype) a = ir::cast(DType::Int(64), a), b = ir::cast(DType::Int(64), b);
      const arith::ConstIntBound gap = analyzer.constIntBound(analyzer.simplify(a - ir::substitute(b, renamed)));
      return gap.min > 0 || gap.max < 0;
    };
    for (std::size_t d = 0; d < place.at.size(); ++d)
      if (areApart(store_.to.at[d], place.at[d])) return false;
    return true;
  }

  const Kernel& kernel_;
  const StoreNode& store_;
  std::vector<const LoopNode*> loops_, around_;  // around what is visited, around the store
  std::vector<Expr> branches_, conditions_;      // the same, of the conditions
  bool isPast_ = false;                          // whether the store has been visited
  std::vector<Access> others_;
};

}  // namespace

bool isUsedElsewhere(const Kernel& kernel, const StoreNode& store) { return Accesses(kernel, store).meet(); }

const LoopNode* loopThatStoresAgain(const Kernel& kernel, const StoreNode& store, const Buffer& from) {
  return Accesses(kernel, store).repeats(from);
}

}  // namespace loom::lower
