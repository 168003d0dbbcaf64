#include "core/lower/used_elsewhere.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/substitute.h"

namespace loom::lower {
namespace {

using namespace device;

// An access to the buffer, and the loops around it, from the outermost on.
struct Access {
  BufferPlace place;
  bool isOfTile = false;
  std::vector<const LoopNode*> loops;
};

// What the store accesses, and what all other statements do.
class Accesses {
 public:
  Accesses(const Kernel& kernel, const StoreNode& store) : kernel_(kernel), store_(store) { visit(kernel.body); }

  bool meet() const {
    return std::ranges::any_of(others_, [&](const Access& other) { return meets(other); });
  }

 private:
  void visit(const Stmt& s) {
    if (!s) return;
    const bool isOwn = s.get() == &store_;
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (effect.place.buffer->data != store_.to.buffer->data) continue;
      if (isOwn && effect.writes())
        around_ = loops_;
      else
        others_.push_back({effect.place, effect.tile.has_value(), loops_});
    }
    if (s->kind == StmtKind::Loop) loops_.push_back(as<LoopNode>(s));
    mapChildren(s, [&](const Stmt& child) { return visit(child), child; });
    if (s->kind == StmtKind::Loop) loops_.pop_back();
  }

  // The other access happens in iterations and threads of its own, but in the same block.
  bool meets(const Access& other) const {
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
    for (const LoopNode* loop : other.loops) bindAgain(loop->var, loop->extent);
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
  std::vector<Access> others_;
};

}  // namespace

bool isUsedElsewhere(const Kernel& kernel, const StoreNode& store) { return Accesses(kernel, store).meet(); }

}  // namespace loom::lower
