#include <fmt/format.h>

#include <array>
#include <map>
#include <unordered_map>

#include "core/arith/analyzer.h"
#include "core/arith/deep_equal.h"
#include "core/arith/region.h"
#include "core/ir/build.h"
#include "core/ir/element_layout.h"
#include "core/ir/equal.h"
#include "core/ir/substitute.h"
#include "core/ir/visit.h"
#include "core/lower/annotations.h"
#include "core/lower/instance.h"
#include "core/lower/launch.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

// `buffer_dim_align` of one dimension: its stride becomes a multiple of factor, plus offset.
struct Alignment {
  std::int64_t factor = 0, offset = 0;
};

struct Touched {
  Buffer buffer;
  std::size_t depth = 0;                  // loops around the allocation
  std::vector<arith::IntRegion> regions;  // of the accesses, in terms of the loops around the allocation
  unsigned threads = 0b111;  // of registers: thread axes that loops inside of the allocation bind around every access
  std::map<std::size_t, Alignment> align;
};

// Does one instance of the memory serve all threads along this loop? (Ranks: tvm_schedule.md, 2.4.)
bool sharedAlong(const std::string& scope, const std::string& thread) {
  if (thread.empty()) return false;
  if (isBlockIdx(thread)) return scope == "global";
  if (scope == "global" || scope.starts_with("shared")) return true;
  return scope == "warp" && thread == "threadIdx.x";
}

// The number of the thread along an axis, whichever loop binds it: what a thread keeps in registers is the same array
// under all loops over threads. Null variables where no such loop is met.
struct ThreadNumbers {
  std::array<Var, 3> vars;
  std::array<Range, 3> ranges;

  Expr of(const ForNode& loop) {
    const auto axis = std::size_t(axisOf(loop.thread));
    if (!vars[axis]) {
      vars[axis] = makeVar(loop.thread, loop.var->dtype);
      ranges[axis] = {loop.min, loop.extent};
    }
    return cast(loop.var->dtype, vars[axis]);
  }
  void bindIn(arith::Analyzer& analyzer) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (vars[axis]) analyzer.bind(vars[axis], ranges[axis], true);
  }
};

class Collection : public Visitor {
 public:
  explicit Collection(const std::vector<Symbol>& symbols) { bindSymbols(analyzer_, symbols); }
  std::unordered_map<const BufferNode*, Touched> touched;
  std::vector<const BufferNode*> order;
  ThreadNumbers numbers;

  // Twice: which loops are around all accesses of a buffer must be known before its regions.
  void collect(const Stmt& s) {
    visit(s);
    collected_ = true;
    visit(s);
  }

 protected:
  void visitFor(const ForNode& n) override {
    loops_.push_back(&n);
    if (collected_) analyzer_.bind(n.var, Range{n.min, n.extent}, true);
    visit(n.body);
    loops_.pop_back();
  }
  void visitRealize(const BlockRealizeNode& n) override {
    Expr outer = predicate_;
    predicate_ = andOf(predicate_, n.predicate);
    visitBlock(*n.block);
    predicate_ = outer;
  }
  void visitBlock(const BlockNode& n) override {
    for (const Buffer& b : n.allocs) {
      if (collected_) continue;
      Touched t;
      t.buffer = b;
      t.depth = loops_.size();
      touched.emplace(b.get(), std::move(t));
      byData_.emplace(b->data.get(), b);
      order.push_back(b.get());
    }
    readAlignments(n);
    for (const MatchBuffer& m : n.matches) {
      for (const Range& r : m.source.region) {
        visit(r.min);
      }
      access(m.source.buffer, m.source.region);
    }
    visit(n.body);
  }
  // Whoever has the pointer may use all of it.
  void visitVar(const VarNode& v) override {
    const auto found = byData_.find(&v);
    if (found == byData_.end()) return;
    std::vector<Range> whole;
    for (const Expr& extent : found->second->shape) whole.push_back({intImm(0, extent->dtype), extent});
    access(found->second, whole);
  }
  void visitLoad(const LoadNode& n) override {
    Visitor::visitLoad(n);
    access(n.buffer, points(n.indices));
  }
  void visitStore(const StoreNode& n) override {
    Visitor::visitStore(n);
    access(n.buffer, points(n.indices));
  }

 private:
  static std::vector<Range> points(const std::vector<Expr>& indices) {
    std::vector<Range> region;
    for (const Expr& i : indices) region.push_back(Range{i, intImm(1, i->dtype)});
    return region;
  }

  // Whether the loop, of those around, is over threads and within the allocation, which is of registers.
  bool bindsInside(const Touched& t, std::size_t loop) const {
    return t.buffer->scope == "local" && loop >= t.depth && isThreadIdx(loops_[loop]->thread);
  }
  void boundAround(Touched& t) const {
    unsigned bound = 0;
    for (std::size_t i = t.depth; i < loops_.size(); ++i)
      if (bindsInside(t, i)) bound |= 1u << axisOf(loops_[i]->thread);
    t.threads &= bound;
  }

  void access(const Buffer& b, const std::vector<Range>& given) {
    auto found = touched.find(b.get());
    if (found == touched.end()) return;
    if (!collected_) return boundAround(found->second);
    VarMap numbered;
    arith::VarRanges relaxed;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      const ForNode& loop = *loops_[i];
      if (bindsInside(found->second, i) && (found->second.threads >> axisOf(loop.thread) & 1)) {
        numbered[loop.var.get()] = numbers.of(loop);
        numbers.bindIn(analyzer_);
        continue;
      }
      if (i >= found->second.depth || sharedAlong(b->scope, loop.thread)) {
        relaxed.set(loop.var, Range{loop.min, loop.extent});
      }
    }
    const std::vector<Range> region = numbered.empty() ? given : substitute(given, numbered);
    const Expr predicate = numbered.empty() ? predicate_ : substitute(predicate_, numbered);
    arith::IntRegion touched = arith::estimateRegionUpperBound(region, relaxed, boolImm(true), analyzer_);
    if (!isTrue(predicate)) {
      // What the predicates allow is often less, but they also make some index maps too hard to follow.
      arith::IntRegion allowed = arith::estimateRegionUpperBound(region, relaxed, predicate, analyzer_);
      takeSmaller(touched, allowed);
    }
    // Registers are worth a second look: what one thread keeps of a tile is little, if its place among the others' is
    // seen, and an array that is larger has places that only a running thread knows.
    if (b->scope == "local") {
      std::vector<Range> plain = region;
      bool same = true;
      for (Range& r : plain) {
        const Expr before = std::exchange(r.min, analyzer_.simplify(r.min));
        same = same && arith::deepEqual(before, r.min);
      }
      if (!same) {
        takeSmaller(touched, arith::estimateRegionUpperBound(plain, relaxed, boolImm(true), analyzer_));
      }
    }
    found->second.regions.push_back(std::move(touched));
  }

  // Of each dimension what has fewer elements of both bounds.
  void takeSmaller(arith::IntRegion& bounds, const arith::IntRegion& others) {
    for (std::size_t d = 0; d < bounds.size(); ++d) {
      // Most are the same, and to count elements takes longer than to see that.
      if (isSame(bounds[d], others[d])) continue;
      if (mostElements(others[d]) < mostElements(bounds[d])) bounds[d] = others[d];
    }
  }
  static bool isSame(const arith::IntSet& a, const arith::IntSet& b) {
    if (a.isNothing() || b.isNothing() || !a.hasLowerBound() || !a.hasUpperBound() || !b.hasLowerBound() ||
        !b.hasUpperBound())
      return false;
    return arith::deepEqual(a.min(), b.min()) && arith::deepEqual(a.max(), b.max());
  }

  // An upper bound of the set's extent.
  std::int64_t mostElements(const arith::IntSet& set) {
    if (set.isNothing()) return 0;
    if (!set.hasLowerBound() || !set.hasUpperBound()) return arith::kPosInf;
    return analyzer_.constIntBound(analyzer_.simplify(set.max() - set.min() + 1)).max;
  }

  void readAlignments(const BlockNode& n) {
    for (const DimensionAlignment& a : dimensionAlignments(n).entries) {
      if (auto t = touched.find(a.buffer.get()); t != touched.end()) t->second.align[a.axis] = {a.factor, a.offset};
    }
  }

  bool collected_ = false;  // which loops are around all accesses
  std::unordered_map<const VarNode*, Buffer> byData_;
  std::vector<const ForNode*> loops_;
  Expr predicate_ = boolImm(true);  // of the blocks around
  arith::Analyzer analyzer_;
};

struct Compact {
  Buffer buffer;
  std::vector<Expr> start;  // of the kept part, per dimension
};

// The union of what the accesses touch of one dimension. `plain`: of bounds that are simplified one by one, after which
// those that different loops have written differently are seen to be the same.
arith::IntSet unionOfDimension(const Touched& t, std::size_t d, bool plain, arith::Analyzer& analyzer) {
  std::vector<arith::IntSet> sets;
  for (const auto& region : t.regions) {
    const arith::IntSet& set = region[d];
    const bool bounded = !set.isNothing() && set.hasLowerBound() && set.hasUpperBound();
    sets.push_back(
        plain && bounded ? arith::IntSet::interval(analyzer.simplify(set.min()), analyzer.simplify(set.max())) : set);
  }
  return arith::unionOf(sets);
}

// One dimension's kept part [start, start + extent). `halved` knows half as much of the function's symbols: what
// depends on how large those may be at all is no bound of memory.
Range keptPart(const Touched& t, std::size_t d, arith::Analyzer& analyzer, arith::Analyzer& halved) {
  Range whole{intImm(0, t.buffer->shape[d]->dtype), t.buffer->shape[d]};
  arith::IntSet all = unionOfDimension(t, d, false, analyzer);
  if (all.isNothing() || !all.hasLowerBound() || !all.hasUpperBound()) return whole;
  Expr start = analyzer.simplify(all.min());
  Expr extent = analyzer.simplify(all.max() - all.min() + 1);
  // A place in an array of registers that only a running thread knows would move the array to memory.
  if (!asInt(extent) && t.buffer->scope == "local") {
    const arith::IntSet again = unionOfDimension(t, d, true, analyzer);
    const Expr fewer = analyzer.simplify(again.max() - again.min() + 1);
    if (asInt(fewer)) start = analyzer.simplify(again.min()), extent = fewer;
  }
  if (!asInt(extent)) {
    arith::ConstIntBound bound = analyzer.constIntBound(extent);
    if (bound.max == arith::kPosInf || halved.constIntBound(extent).max != bound.max) return whole;
    extent = intImm(bound.max, extent->dtype);
  }
  // A tile that hangs over the edge of the buffer is cut there, where that is certain.
  if (auto* shape = asInt(whole.extent); shape && constantOr(extent, 0) >= shape->value) return whole;
  return Range{start, extent};
}

Compact compactOf(const Touched& t, arith::Analyzer& analyzer, arith::Analyzer& halved) {
  Compact c;
  BufferNode node = *t.buffer;
  for (std::size_t d = 0; d < node.shape.size(); ++d) {
    Range kept = keptPart(t, d, analyzer, halved);
    c.start.push_back(kept.min);
    // Strides are those of the whole: a part of it has its own.
    if (!structuralEqual(node.shape[d], kept.extent)) node.strides.clear();
    node.shape[d] = kept.extent;
  }
  if (!t.align.empty()) {
    node.strides.assign(node.shape.size(), nullptr);
    std::int64_t stride = 1;
    for (std::size_t d = node.shape.size(); d-- > 0;) {
      if (auto a = t.align.find(d); a != t.align.end()) {
        std::int64_t factor = a->second.factor;
        stride += ((factor + a->second.offset - stride % factor) % factor + factor) % factor;
      }
      node.strides[d] = intImm(stride);
      stride *= constantOr(node.shape[d], 1);
    }
  }
  c.buffer = std::make_shared<const BufferNode>(std::move(node));
  return c;
}

// Rows of constant length with room between them, the first at the pointer: `strides=(20, 1)` of (16, 16).
bool isPaddedByHand(const BufferNode& b) {
  const auto layout = elementLayout(b);
  if (!layout || layout->start != 0) return false;
  std::int64_t row = 1;
  for (std::size_t d = layout->extents.size(); d-- > 0;) {
    if (layout->strides[d] < row) return false;
    row = layout->strides[d] * layout->extents[d];
  }
  return true;
}

class Compaction : public Mutator {
 public:
  Compaction(std::unordered_map<const BufferNode*, Compact> compact, const ThreadNumbers& numbers)
      : compact_(std::move(compact)) {
    for (const Var& v : numbers.vars) {
      if (!v) continue;
      threads_[v.get()] = zero(v->dtype);  // of what a block outside of the loop declares
      byName_[v->name] = v;
    }
  }

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& n = *asFor(s);
    const auto number = byName_.find(n.thread);
    if (n.forKind != ForKind::ThreadBinding || number == byName_.end()) return Mutator::rewriteFor(s);
    Expr& now = threads_[number->second.get()];
    const Expr outer = std::exchange(now, cast(number->second->dtype, n.var));
    Stmt inner = Mutator::rewriteFor(s);
    threads_[number->second.get()] = outer;
    return inner;
  }
  Block rewriteBlock(const Block& b) override {
    return edit(*b, [&](BlockNode& n) {
      for (Buffer& a : n.allocs) {
        if (auto found = compact_.find(a.get()); found != compact_.end()) a = found->second.buffer;
      }
      for (BufferRegion& r : n.reads) r = shifted(r);
      for (BufferRegion& r : n.writes) r = shifted(r);
      for (MatchBuffer& m : n.matches) m.source = shifted(m.source);
      n.body = rewrite(n.body);
    });
  }
  Expr rewriteLoad(const Expr& e) override {
    Expr inner = Mutator::rewriteLoad(e);
    const auto& l = *as<LoadNode>(inner);
    auto found = compact_.find(l.buffer.get());
    return found == compact_.end() ? inner : load(found->second.buffer, shifted(found->second, l.indices));
  }
  Stmt rewriteStore(const Stmt& s) override {
    Stmt inner = Mutator::rewriteStore(s);
    const auto& n = *as<StoreNode>(inner);
    auto found = compact_.find(n.buffer.get());
    return found == compact_.end() ? inner : store(found->second.buffer, n.value, shifted(found->second, n.indices));
  }

 private:
  std::vector<Expr> shifted(const Compact& c, std::vector<Expr> indices) const {
    for (std::size_t d = 0; d < indices.size(); ++d) indices[d] = indices[d] - start(c, d);
    return indices;
  }
  Expr start(const Compact& c, std::size_t d) const {
    return threads_.empty() ? c.start[d] : substitute(c.start[d], threads_);
  }
  BufferRegion shifted(const BufferRegion& r) {
    BufferRegion inner = rewriteRegion(r);
    auto found = compact_.find(inner.buffer.get());
    if (found == compact_.end()) return inner;
    inner.buffer = found->second.buffer;
    for (std::size_t d = 0; d < inner.region.size(); ++d)
      inner.region[d].min = inner.region[d].min - start(found->second, d);
    return inner;
  }

  std::unordered_map<const BufferNode*, Compact> compact_;
  VarMap threads_;                     // by the variable of the thread's number: that of the loop around
  std::map<std::string, Var> byName_;  // the variables of threads' numbers, by axis
};

}  // namespace

Stmt layOutAllocations(const Stmt& s) {
  BufferMap laidOut;
  forEachStmt(s, [&](const Stmt& inner) {
    auto* realize = asRealize(inner);
    if (!realize) return true;
    for (const Buffer& b : realize->block->allocs) {
      const bool shifted = b->elemOffset && constantOr(b->elemOffset, 1) != 0;
      if ((b->strides.empty() && !shifted) || isPaddedByHand(*b)) continue;
      BufferNode node = *b;
      node.strides.clear();
      node.elemOffset = intImm(0, b->elemOffset ? b->elemOffset->dtype : DType::Int(32));
      laidOut[b.get()] = std::make_shared<const BufferNode>(std::move(node));
    }
    return true;
  });
  return laidOut.empty() ? s : replaceBuffers(s, laidOut);
}

Result<Stmt> compactBuffers(const Stmt& s, const std::vector<Symbol>& symbols) {
  Collection collection(symbols);
  collection.collect(s);
  arith::Analyzer analyzer, halved;
  bindSymbols(analyzer, symbols);
  for (const Symbol& symbol : symbols) {
    const auto range = rangeOf(symbol);
    if (!range) continue;
    const Expr half = intImm(constantOr(range->extent, 0) / 2, range->extent->dtype);
    halved.bind(symbol.var, Range{range->min, half}, true);
  }
  forEachStmt(s, [&](const Stmt& inner) {
    auto* loop = asFor(inner);
    if (!loop) return true;
    analyzer.bind(loop->var, Range{loop->min, loop->extent}, true);
    halved.bind(loop->var, Range{loop->min, loop->extent}, true);
    return true;
  });
  collection.numbers.bindIn(analyzer);
  collection.numbers.bindIn(halved);
  std::unordered_map<const BufferNode*, Compact> compact;
  for (const BufferNode* b : collection.order) compact[b] = compactOf(collection.touched.at(b), analyzer, halved);
  return Compaction(std::move(compact), collection.numbers).rewrite(s);
}

}  // namespace loom::lower
