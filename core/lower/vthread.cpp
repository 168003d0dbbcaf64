#include <algorithm>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/device_passes.h"
#include "core/lower/versions.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::intImm;

// What depends on a loop's iteration: the buffers in which iterations may store different values, or at different
// places, of which TVM 0.22 gives each virtual thread one of its own (inject_virtual_thread.cc, VarTouchedAnalysis),
// and loops whose lengths do. Also memory that a thread has for itself in which only some of the iterations store.
class Touched {
 public:
  explicit Touched(const LoopNode& loop) : variables_{loop.var.get()} {
    // A value may go through buffers that are written further below.
    for (std::size_t before = 0; before < variables_.size() + buffers_.size();) {
      before = variables_.size() + buffers_.size();
      follow(loop.body, false);
    }
  }
  bool contains(const ir::BufferNode* buffer) const { return buffers_.contains(buffer); }
  // Whether the statement's own expressions, or what it reads, depend on the iteration.
  bool decides(const Stmt& s) const {
    for (const Expr& e : expressionsOf(s))
      if (ir::usesVar(e, [&](const ir::VarNode* v) { return variables_.contains(v); })) return true;
    const Effects effects = effectsOf(s);
    return std::ranges::any_of(effects.memory,
                               [&](const MemoryEffect& e) { return !e.writes() && contains(e.place.buffer.get()); });
  }

 private:
  // `some`: not all iterations run the statement, or not equally often.
  void follow(const Stmt& s, bool some) {
    if (!s) return;
    switch (s->kind) {
      case StmtKind::Seq:
        for (const Stmt& child : as<SeqNode>(s)->stmts) follow(child, some);
        return;
      case StmtKind::Block: return follow(as<BlockNode>(s)->body, some);
      case StmtKind::Loop:
        if (!decides(s)) return follow(as<LoopNode>(s)->body, some);
        variables_.insert(as<LoopNode>(s)->var.get());
        return follow(as<LoopNode>(s)->body, true);
      case StmtKind::If:
        some |= decides(s);
        follow(as<IfNode>(s)->yes, some);
        return follow(as<IfNode>(s)->no, some);
      case StmtKind::Store:
      case StmtKind::Operation: {
        const bool depends = decides(s);
        const Effects effects = effectsOf(s);
        for (const MemoryEffect& e : effects.memory)
          if (e.writes() && (depends || (some && !isVisible(e.memory)))) buffers_.insert(e.place.buffer.get());
        return;
      }
      case StmtKind::Sync: return;
    }
  }

  std::unordered_set<const ir::VarNode*> variables_;
  Buffers buffers_;
};

// Whether no two iterations of the loop write the same element of the buffer, as one of its dimensions tells: by ranges
// of indices that don't meet, or by what division by the number of iterations leaves of them.
class Apart {
 public:
  Apart(const Kernel& kernel, const LoopNode& loop, const Buffer& buffer)
      : var_(loop.var), count_(ir::constantOr(loop.extent, 0)) {
    for (std::size_t axis = 0; axis < kernel.block.size(); ++axis)
      analyzer_.bind(kernel.threadIdx[axis], ir::Range{intImm(0), intImm(kernel.block[axis])});
    forEach(loop.body, [&](const Stmt& s) {
      if (s->kind == StmtKind::Loop) {
        const auto& n = *as<LoopNode>(s);
        analyzer_.bind(n.var, ir::Range{intImm(0, n.var->dtype), n.extent}, true);
      }
      const Effects effects = effectsOf(s);
      for (const MemoryEffect& e : effects.memory) {
        if (!e.writes() || e.place.buffer != buffer) continue;
        areElements_ &= !e.tile && !e.place.byOffset;
        written_.push_back(e.place);
      }
      return true;
    });
  }

  bool operator()() {
    if (!areElements_ || written_.empty()) return false;
    for (std::size_t d = 0; d < written_.front().at.size(); ++d)
      if (differ(d, false) || differ(d, true)) return true;
    return false;
  }

 private:
  bool differ(std::size_t dimension, bool byRest) {
    std::vector<arith::ConstIntBound> ranges;  // of each iteration
    for (std::int64_t n = 0; n < count_; ++n) {
      arith::ConstIntBound& all = ranges.emplace_back(arith::kPosInf, arith::kNegInf);
      for (const BufferPlace& place : written_) {
        const bool isLast = dimension + 1 == place.at.size();
        if (isLast && place.lanes > 1 && byRest) return false;
        Expr at = ir::substitute(place.at[dimension], {{var_.get(), intImm(n, var_->dtype)}});
        if (byRest) at = ir::floormod(at, intImm(count_, at->dtype));
        const arith::ConstIntBound range = analyzer_.constIntBound(analyzer_.simplify(at));
        if (range.min == arith::kNegInf || range.max == arith::kPosInf) return false;
        all.min = std::min(all.min, range.min);
        all.max = std::max(all.max, range.max + (isLast ? place.lanes - 1 : 0));
      }
    }
    std::ranges::sort(ranges, {}, &arith::ConstIntBound::min);
    return std::ranges::adjacent_find(ranges, [](const auto& a, const auto& b) { return a.max >= b.min; }) ==
           ranges.end();
  }

  const Var var_;
  const std::int64_t count_;
  arith::Analyzer analyzer_;
  std::vector<BufferPlace> written_;
  bool areElements_ = true;  // and no tiles or boxes, of which the place is the first element
};

// One virtual thread loop at a time, innermost first.
class Interleaving {
 public:
  Interleaving(Kernel& kernel, const LoopNode& loop, const std::vector<Buffer>& owned)
      : var_(loop.var), extent_(loop.extent), touched_(loop), version_(ir::makeVar("version", loop.var->dtype)) {
    for (const Buffer& b : owned) {
      for (Allocation& a : kernel.allocations) {
        if (a.buffer != b) continue;
        // Of shared memory, one of its own where others would overwrite it: else each has elements of its own anyway.
        if (isVisible(a.memory) && (!touched_.contains(b.get()) || Apart(kernel, loop, b)())) continue;
        copies_.insert(b.get());
        allocations_.push_back(&a);
      }
    }
  }

  Stmt run(const Stmt& body) {
    const Stmt result = substitute(distribute(withVersion(body, copies_, version_)), version_, intImm(0, var_->dtype));
    const std::int64_t count = ir::constantOr(extent_, 1);
    for (Allocation* allocation : allocations_) multiply(*allocation, count, body);
    return result;
  }

 private:
  // Whether the iterations do different things, or each does it to memory of its own. What all of them do alike with
  // what they hold alike may be done by each, unless it would do more then, as adding would.
  bool ownDepends(const Stmt& s) const {
    if (touched_.decides(s)) return true;
    if (s->kind == StmtKind::Loop || s->kind == StmtKind::If) return false;
    const Effects effects = effectsOf(s);
    bool uses = false, repeatable = true;
    for (const MemoryEffect& e : effects.memory) {
      const bool own = copies_.contains(e.place.buffer.get());
      if (own && e.writes()) return true;
      uses |= own;
      repeatable &= !e.writes() || e.repeatable;
    }
    return uses && repeatable;
  }

  Stmt repeated(const Stmt& s) const {
    auto loop = std::make_shared<LoopNode>();
    loop->var = ir::makeVar(var_->name, var_->dtype);
    loop->extent = extent_;
    loop->use = LoopUse::Unrolled;
    loop->body = device::substitute(device::substitute(s, var_, loop->var), version_, loop->var);
    return loop;
  }
  bool anyDepends(const Stmt& s) const {
    bool found = false;
    forEach(s, [&](const Stmt& inner) { return !(found = found || ownDepends(inner)); });
    return found;
  }

  Stmt distribute(const Stmt& s) const {
    if (!anyDepends(s)) return s;
    bool container = s->kind == StmtKind::Seq || s->kind == StmtKind::Block ||
                     ((s->kind == StmtKind::Loop || s->kind == StmtKind::If) && !ownDepends(s));
    if (!container) return repeated(s);
    return mapChildren(s, [&](const Stmt& child) { return distribute(child); });
  }

  Var var_;
  Expr extent_;
  const Touched touched_;
  // Chooses among the copies: of what isn't repeated, since all hold the same there, the first.
  Var version_;
  Buffers copies_;                        // those of which each virtual thread has its own
  std::vector<Allocation*> allocations_;  // theirs
};

}  // namespace

void interleaveVirtualThreads(Kernel& kernel) {
  const std::function<Stmt(const Stmt&)> walk = [&](const Stmt& s) -> Stmt {
    Stmt inner = mapChildren(s, walk);
    if (!inner || inner->kind != StmtKind::Loop || as<LoopNode>(inner)->use != LoopUse::Virtual) return inner;
    const auto& loop = *as<LoopNode>(inner);
    return Interleaving(kernel, loop, ownedBy(s, kernel)).run(loop.body);
  };
  kernel.body = walk(kernel.body);
}

}  // namespace loom::lower
