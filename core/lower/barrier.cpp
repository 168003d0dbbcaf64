#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/arith/analyzer.h"
#include "core/arith/iter_map.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/addressing.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/same_width.h"

namespace loom::lower {
namespace {

using namespace device;

// One use of memory that other threads of the block see.
struct Access {
  const ir::BufferNode* buffer = nullptr;
  const StmtNode* stmt = nullptr;
  bool write = false;
  bool repeatable = false;  // stores of one statement to one element all store one value
  Expr index;               // null: anywhere in the buffer
  std::int64_t lanes = 1;
  std::vector<Expr> coordinates;            // by dimension; empty when not known
  Expr guard;                               // what the conditions around demand; null for nothing
  Axes uncovered;                           // executed by the first thread along these axes only
  Id block;                                 // for messages
  std::vector<std::pair<Var, Expr>> loops;  // serial loops around, with extents
};

// The accesses of a statement: before its first barrier, and after its last. Without a barrier both are all of them.
struct Summary {
  std::vector<Access> head, tail;
  bool barrier = false;
};

class BarrierPlacement {
 public:
  BarrierPlacement(const Kernel& kernel, const std::vector<ir::Symbol>& symbols)
      : kernel_(kernel), addresses_(kernel, symbols) {
    for (const Allocation& a : kernel.allocations) {
      if (isShared(a.memory)) visible_.insert(a.buffer.get());
    }
    // Global memory needs a barrier only where this kernel both writes and reads it.
    const BufferUses uses = usesOf(kernel.body);
    const std::set<const ir::BufferNode*> read(uses.read.begin(), uses.read.end());
    for (const ir::BufferNode* b : uses.written) {
      if (memoryOf(b->scope) == Memory::Global && read.count(b)) visible_.insert(b);
    }
    for (int axis = 0; axis < 3; ++axis) {
      analyzer_.bind(kernel.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel.block[axis])}, true);
      analyzer_.bind(kernel.blockIdx[axis], ir::Range{ir::intImm(0), kernel.gridExtent(axis)}, true);
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

  std::vector<Access> accesses(const Stmt& s) {
    std::vector<Access> out;
    for (const MemoryEffect& effect : effectsOf(s).memory) {
      if (!visible_.count(effect.place.buffer.get())) continue;
      Access a;
      a.buffer = effect.place.buffer.get();
      a.stmt = s.get();
      a.write = effect.writes();
      a.repeatable = effect.repeatable;
      if (!effect.tile) locate(a, effect.place);
      a.uncovered = Axes{static_cast<std::uint8_t>(s->uncovered.bits & 0b111)};
      a.block = block_;
      a.loops = loops_;
      a.guard = guard_;
      out.push_back(std::move(a));
    }
    return out;
  }

  // Of single elements the coordinates, too: they tell threads apart where a flat index alone doesn't. A vector has
  // none, and an index that is loaded itself tells nothing.
  void locate(Access& a, const BufferPlace& place) {
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

  // --- conflicts ---

  arith::ConstIntBound bound(const Access& a) {
    for (const auto& [var, extent] : a.loops) {
      analyzer_.bind(var, ir::Range{ir::intImm(0, var->dtype), extent}, true);
    }
    arith::ConstIntBound b = analyzer_.constIntBound(a.index);
    if (b.max != arith::kPosInf) b.max += a.lanes - 1;
    return b;
  }

  // An access in terms of numbered loops.
  struct Pattern {
    Expr index, guard;
    std::vector<Expr> coordinates;
    std::vector<Var> loops;  // by number
    std::vector<Expr> extents;
  };
  struct Told {
    Pattern pattern;
    std::int64_t lanes;
    unsigned uncovered;
    bool answer;
  };
  // Numbers the serial loops of an access by first use, so that equal patterns over different loops compare equal.
  Pattern patternOf(const Access& a) {
    Pattern p;
    ir::VarMap map;
    auto number = [&](const Expr& e) {
      ir::forEachExpr(e, [&](const Expr& x) {
        auto* v = ir::asVar(x);
        if (!v || map.count(v)) return;
        for (const auto& [var, extent] : a.loops) {
          if (var.get() != v) continue;
          p.loops.push_back(slot(p.loops.size(), var->dtype));
          map[v] = p.loops.back();
          p.extents.push_back(extent);
        }
      });
      return ir::substitute(e, map);
    };
    p.index = number(a.index);
    for (const Expr& c : a.coordinates) p.coordinates.push_back(number(c));
    if (a.guard) p.guard = number(a.guard);
    return p;
  }
  Var slot(std::size_t n, ir::DType dtype) {
    std::vector<Var>& slots = slots_[dtype.bits];
    while (slots.size() <= n) slots.push_back(ir::makeVar(fmt::format("loop{}", slots.size()), dtype));
    return slots[n];
  }

  // Each thread of the block touches elements of its own, and the same ones in both accesses.
  bool ownElements(const Access& a, const Access& b) {
    if (!a.index || !b.index || a.lanes != b.lanes || !(a.uncovered == b.uncovered)) return false;
    Pattern p = patternOf(a), q = patternOf(b);
    if (!ir::structuralEqual(p.index, q.index)) return false;
    // Loops of guards may differ; those of the index come first.
    std::size_t used = loopsOf(p.index);
    if (p.extents.size() < used || q.extents.size() < used) return false;
    for (std::size_t i = 0; i < used; ++i) {
      if (!ir::structuralEqual(p.extents[i], q.extents[i])) return false;
    }
    // Blocks are fixed here.
    arith::VarRanges threads;
    for (int axis = 0; axis < 3; ++axis) {
      if (kernel_.block[axis] > 1 && !(a.uncovered.bits >> axis & 1)) {
        threads.set(kernel_.threadIdx[axis], ir::Range{ir::intImm(0), ir::intImm(kernel_.block[axis])});
      }
    }
    if (threads.empty()) return true;  // one thread does all of it
    auto tells = [&](const Pattern& pattern) { return toldOnce(pattern, a.lanes, a.uncovered.bits, threads); };
    return tells(p) && (p.guard == q.guard || tells(q));
  }

  // `tellsThreads`, which the same patterns are asked again and again, pair by pair.
  bool toldOnce(const Pattern& p, std::int64_t lanes, unsigned uncovered, const arith::VarRanges& threads) {
    auto equal = [](const Expr& a, const Expr& b) { return a == b || (a && b && ir::structuralEqual(a, b)); };
    auto same = [&](const Told& t) {
      return t.lanes == lanes && t.uncovered == uncovered && equal(t.pattern.index, p.index) &&
             equal(t.pattern.guard, p.guard) &&
             std::equal(t.pattern.coordinates.begin(), t.pattern.coordinates.end(), p.coordinates.begin(),
                        p.coordinates.end(), equal) &&
             std::equal(t.pattern.extents.begin(), t.pattern.extents.end(), p.extents.begin(), p.extents.end(), equal);
    };
    auto known = std::find_if(told_.begin(), told_.end(), same);
    if (known != told_.end()) return known->answer;
    const bool answer = tellsThreads(p, lanes, threads);
    told_.push_back({p, lanes, uncovered, answer});
    return answer;
  }
  std::size_t loopsOf(const Expr& index) const {
    std::size_t count = 0;
    ir::forEachExpr(index, [&](const Expr& x) {
      for (const auto& [bits, slots] : slots_) {
        for (std::size_t i = 0; i < slots.size(); ++i) {
          if (x == Expr(slots[i])) count = std::max(count, i + 1);
        }
      }
    });
    return count;
  }

  // Does the element say which thread it is of? Each index, flat or by dimension, is written as a sum of
  // `part * scale` of the variables in mixed radix: a scale beyond the reach of all smaller terms together gives back
  // every part. The parts of a thread's index must make up all of it.
  bool tellsThreads(const Pattern& p, std::int64_t lanes, const arith::VarRanges& threads) {
    ir::VarMap firstBlock;
    for (const Var& v : kernel_.blockIdx) firstBlock[v.get()] = ir::intImm(0);
    arith::VarRanges ranges = threads;
    for (std::size_t i = 0; i < p.extents.size(); ++i) {
      ranges.set(p.loops[i], ir::Range{ir::intImm(0, p.loops[i]->dtype), p.extents[i]});
    }
    Expr flat = ir::substitute(p.index, firstBlock);
    if (lanes > 1) {
      Var lane = slot(p.extents.size(), flat->dtype);
      ranges.set(lane, ir::Range{ir::intImm(0, lane->dtype), ir::intImm(lanes, lane->dtype)});
      flat = flat + lane;
    }
    if (tellsThreads({flat}, {}, ranges, threads)) return true;
    if (p.coordinates.empty()) return false;
    std::vector<Expr> coordinates;
    for (const Expr& c : p.coordinates) coordinates.push_back(ir::substitute(c, firstBlock));
    return tellsThreads(coordinates, p.guard ? ir::substitute(p.guard, firstBlock) : Expr(), ranges, threads);
  }
  bool tellsThreads(const std::vector<Expr>& given, const Expr& givenGuard, const arith::VarRanges& givenRanges,
                    const arith::VarRanges& threads) const {
    SameWidth same(given);
    std::vector<Expr> indices;
    for (const Expr& index : given) indices.push_back(same.rewrite(index));
    const Expr guard = same.rewrite(givenGuard);
    arith::Analyzer analyzer;
    arith::VarRanges ranges;
    for (const auto& [var, range] : givenRanges) {
      ranges.set(ir::varOf(same.rewrite(var)), ir::Range{same.rewrite(range.min), same.rewrite(range.extent)});
    }
    for (const auto& [var, range] : ranges) analyzer.bind(var, range, true);
    std::map<const ir::VarNode*, std::vector<std::array<std::int64_t, 2>>> parts;  // lower factor, extent
    for (const Expr& index : indices) {
      if (!readParts(index, guard, ranges, analyzer, parts)) return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (!threads.contains(kernel_.threadIdx[axis].get())) continue;
      auto& own = parts[ir::asVar(same.rewrite(kernel_.threadIdx[axis]))];
      std::sort(own.begin(), own.end());
      std::int64_t next = 1;
      for (auto [lower, extent] : own) {
        if (lower > next) return false;
        next = std::max(next, lower * extent);
      }
      if (next < kernel_.block[axis]) return false;
    }
    return true;
  }
  // The parts of variables that an index in mixed radix gives back; false when it isn't in mixed radix.
  static bool readParts(const Expr& index, const Expr& guard, const arith::VarRanges& ranges, arith::Analyzer& analyzer,
                        std::map<const ir::VarNode*, std::vector<std::array<std::int64_t, 2>>>& parts) {
    arith::IterSum sum = arith::normalizeToIterSum(analyzer.simplify(index), ranges, analyzer);
    if (!sum) return false;
    struct Term {
      std::int64_t scale, extent;
      arith::IterSplit split;
    };
    std::vector<Term> terms;
    for (const arith::IterSplit& split : sum->args) {
      auto *scale = ir::asInt(split->scale), *extent = ir::asInt(split->extent), *lower = ir::asInt(split->lowerFactor);
      auto* source = std::get_if<Expr>(&split->source->source);
      if (!scale || !extent || !lower || scale->value <= 0) return false;
      terms.push_back({scale->value, extent->value, split});
      if (source && ir::asVar(*source)) parts[ir::asVar(*source)].push_back({lower->value, extent->value});
    }
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.scale < b.scale; });
    std::int64_t reach = 0;
    std::vector<arith::IterSplit> smaller;
    for (const Term& t : terms) {
      if (t.scale <= reach && guard) {
        // A guard may keep the smaller terms below the scale: `j_0 * 3 + j_1 < 4`.
        std::vector<arith::IterSplit> descending(smaller.rbegin(), smaller.rend());
        Expr below = arith::normalizeIterMapToExpr(arith::makeSum(descending, ir::intImm(0)), analyzer);
        auto known = analyzer.enter(guard);
        reach = std::min(reach, analyzer.constIntBound(below).max);
      }
      if (t.scale <= reach) return false;
      reach += t.scale * (t.extent - 1);
      smaller.push_back(t.split);
    }
    return true;
  }

  bool conflict(const Access& a, const Access& b) {
    if (a.buffer != b.buffer || (!a.write && !b.write)) return false;
    if (a.repeatable && b.repeatable && a.stmt == b.stmt) return false;
    if (a.index && b.index) {
      arith::ConstIntBound x = bound(a), y = bound(b);
      if (x.max < y.min || y.max < x.min) return false;
    }
    return !ownElements(a, b);
  }
  bool conflict(const std::vector<Access>& before, const std::vector<Access>& after) {
    for (const Access& a : before) {
      for (const Access& b : after) {
        if (conflict(a, b)) return true;
      }
    }
    return false;
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

  static void append(std::vector<Access>& to, const std::vector<Access>& from) {
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
      case StmtKind::Sync: summary.barrier = true; return s;
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
  Stmt walkSeq(const std::vector<Stmt>& stmts, Summary& summary, const std::vector<Access>* carried) {
    std::vector<Stmt> out;
    std::vector<Access> pending = carried ? *carried : std::vector<Access>{};
    for (const Stmt& child : stmts) {
      Summary inner;
      Stmt placed = walk(child, inner);
      if (conflict(pending, inner.head)) {
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
    if (!ir::isConst(loop.extent, 1) && conflict(first.tail, first.head)) {
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
    const std::vector<Access> condition = accesses(s);
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
  arith::Analyzer analyzer_;
  std::set<const ir::BufferNode*> visible_;
  std::vector<std::pair<Var, Expr>> loops_;
  std::map<int, std::vector<Var>> slots_;  // by bits
  std::vector<Told> told_;
  Id block_;
  Expr guard_;  // the conditions around; null for none
  std::optional<Error> error_;
};

}  // namespace

Result<Stmt> placeBarriers(const Kernel& kernel, const std::vector<ir::Symbol>& symbols) {
  return BarrierPlacement(kernel, symbols).run();
}

}  // namespace loom::lower
