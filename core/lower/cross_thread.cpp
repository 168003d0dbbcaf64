#include "core/lower/cross_thread.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/lower/passes.h"

namespace loom::lower {
namespace {

using namespace ir;

using Loops = std::vector<const ForNode*>;

bool isThread(const ForNode& n) { return n.forKind == ForKind::ThreadBinding && isThreadIdx(n.thread); }

bool uses(const Expr& e, const Loops& loops) {
  return usesVar(e, [&](const VarNode* v) {
    return std::ranges::any_of(loops, [&](const ForNode* l) { return l->var.get() == v; });
  });
}

// The conditions that `condition` is all of.
void parts(const Expr& condition, std::vector<Expr>& all) {
  if (const auto* both = asBinary(condition, ExprKind::And)) {
    parts(both->a, all);
    parts(both->b, all);
  } else if (!isTrue(condition)) {
    all.push_back(condition);
  }
}

using Rewritten = std::unordered_map<const StmtNode*, Stmt>;

// What is left of the loops for each thread alone: those over the threads that share the sum are gone, `instead` stands
// in the place of the block, and `others` say what has become of statements beside it.
class OwnPart : public Mutator {
 public:
  OwnPart(const BlockRealizeNode& block, Stmt instead, const Loops& loops, const Rewritten& others)
      : block_(block), instead_(std::move(instead)), loops_(loops), others_(others) {}

 protected:
  Stmt rewriteRealize(const Stmt& s) override { return s.get() == &block_ ? instead_ : others_.at(s.get()); }
  Stmt rewriteFor(const Stmt& s) override {
    const auto& n = *asFor(s);
    if (std::ranges::find(loops_, &n) == loops_.end()) return others_.at(s.get());
    Stmt body = rewrite(n.body);
    return isThread(n) ? body : edit(n, [&](ForNode& m) { m.body = body; });
  }

 private:
  const BlockRealizeNode& block_;
  const Stmt instead_;
  const Loops& loops_;
  const Rewritten& others_;
};

// The buffer's elements become the one of another buffer.
class OneElement : public Mutator {
 public:
  OneElement(const Buffer& from, const Buffer& to) : from_(from), to_(to) {}

 protected:
  Expr rewriteLoad(const Expr& e) override {
    return asLoad(e)->buffer == from_ ? load(to_, {intImm(0)}) : Mutator::rewriteLoad(e);
  }
  Stmt rewriteStore(const Stmt& s) override {
    const auto& n = *as<StoreNode>(s);
    return n.buffer == from_ ? store(to_, rewrite(n.value), {intImm(0)}) : Mutator::rewriteStore(s);
  }

 private:
  const Buffer &from_, &to_;
};

class Sharing : public Mutator {
 public:
  Sharing(const Stmt& function, Launch launch, std::uint32_t& made) : launch_(std::move(launch)), made_(made) {
    forEachStmt(function, [&](const Stmt& s) {
      const auto* r = asRealize(s);
      if (!r) return true;
      bool innermost = true;
      forEachStmt(r->block->body, [&](const Stmt& inner) { return innermost = innermost && !asRealize(inner); });
      if (innermost)
        for (const BufferRegion& w : r->block->writes) ++writers_[w.buffer.get()];
      return true;
    });
  }
  std::optional<Error> error;

 protected:
  Stmt rewriteFor(const Stmt& s) override {
    const auto& n = *asFor(s);
    const bool hardware = n.forKind == ForKind::ThreadBinding && (isThreadIdx(n.thread) || isBlockIdx(n.thread));
    if (hardware && !isConst(n.extent, 1)) from_[n.var.get()] = &n;
    scope_.push_back(&n);
    if (isThread(n)) threads_.push_back(&n);
    Stmt inner = Mutator::rewriteFor(s);
    if (isThread(n)) threads_.pop_back();
    scope_.pop_back();
    if (const auto shared = shared_.find(&n); shared != shared_.end()) inner = statements(s, shared->second);
    return rewritten_[s.get()] = inner;
  }
  Stmt rewriteIf(const Stmt& s) override {
    conditions_.push_back(as<IfThenElseNode>(s)->condition);
    Stmt inner = Mutator::rewriteIf(s);
    conditions_.pop_back();
    return inner;
  }
  Stmt rewriteRealize(const Stmt& s) override {
    const auto& n = *asRealize(s);
    const BlockNode& block = *n.block;
    const ForNode* shared = nullptr;  // a loop over hardware that the block sums over
    for (std::size_t i = 0; i < block.iters.size(); ++i) {
      const ForNode* loop = nullptr;
      forEachExpr(n.values[i], [&](const Expr& e) {
        const auto* v = asVar(e);
        if (auto at = v ? from_.find(v) : from_.end(); at != from_.end()) loop = at->second;
      });
      if (!loop) continue;
      from_[block.iters[i].var.get()] = loop;
      if (block.iters[i].type == IterType::Reduce) shared = loop;
    }
    if (shared) {
      share(n, *shared);
      return rewritten_[s.get()] = s;
    }
    conditions_.push_back(n.predicate);
    const Loops outer = std::exchange(scope_, {});
    Stmt inner = Mutator::rewriteRealize(s);
    scope_ = outer;
    conditions_.pop_back();
    return rewritten_[s.get()] = inner;
  }

 private:
  // A block whose sums threads share.
  struct Shared {
    const BlockRealizeNode* realize;
    schedule::Reduction reduction;
    Loops loops;  // that it sums over, outermost first
  };

  void refuse(const BlockRealizeNode& n, const ForNode& loop, Message why, Message remedy = {}) {
    if (!error) error = notAKernel(std::move(why), {loop.id, n.block->id}, std::move(remedy)).value();
  }
  // Of a sum that threads can't share: that a loop is bound which makes other elements.
  Message bindAnother(const BlockRealizeNode& n, const ForNode& loop) const {
    std::string instead;
    for (std::size_t i = 0; i < n.block->iters.size(); ++i) {
      if (n.block->iters[i].type != IterType::Spatial) continue;
      forEachExpr(n.values[i], [&](const Expr& e) {
        const auto* v = asVar(e);
        if (v && !from_.contains(v)) instead = v->name;
      });
    }
    return instead.empty()
               ? message("bind a loop that {} doesn't sum over, instead of {}", n.block->name, loop.var->name)
               : message("sch.bind({}, \"{}\") instead: {} doesn't sum over it", instead, loop.thread, n.block->name);
  }

  // The loops around the block, up to the next block, that it sums over; empty, and an error, where they aren't such
  // that threads can share the sum. TVM 0.22, LowerCrossThreadReduction.
  Loops summedOver(const BlockRealizeNode& n, const ForNode& shared) {
    const BlockNode& block = *n.block;
    Loops loops;
    for (const ForNode* loop : scope_) {
      bool sums = false, places = false;
      for (std::size_t i = 0; i < block.iters.size(); ++i)
        if (uses(n.values[i], {loop})) (block.iters[i].type == IterType::Reduce ? sums : places) = true;
      if (sums && places && isThread(*loop) && !isConst(loop->extent, 1)) {
        refuse(n, *loop,
               message("loop {} is bound to {} and tells both which elements block {} writes and what it sums over: "
                       "threads that share a sum must be a loop of their own",
                       loop->var->name, loop->thread, block.name),
               bindAnother(n, *loop));
        return {};
      }
      if (sums) loops.push_back(loop);
    }
    if (std::ranges::find(loops, &shared) == loops.end()) {
      refuse(n, shared,
             message("loop {} is bound to {}, but block {}, inside another block, sums over it: all threads would add "
                     "to one element at once",
                     shared.var->name, shared.thread, block.name),
             bindAnother(n, shared));
      return {};
    }
    for (const ForNode* loop : loops) {
      if (loop->forKind != ForKind::ThreadBinding || isThread(*loop) || isConst(loop->extent, 1)) continue;
      refuse(n, *loop,
             message("loop {} is bound to {}, but block {} sums over it: only the threads of one block, along "
                     "threadIdx, can share a sum",
                     loop->var->name, loop->thread, block.name),
             bindAnother(n, *loop));
      return {};
    }
    const auto first = std::ranges::find(scope_, loops.front());
    for (auto at = first; at != scope_.end(); ++at) {
      if (std::ranges::find(loops, *at) != loops.end()) continue;
      refuse(n, shared,
             message("threads along {} share the sums of block {}, but loop {}, which it doesn't sum over, is inside "
                     "of loop {}, which it does: the loops of a shared sum must be innermost",
                     shared.thread, block.name, (*at)->var->name, loops.front()->var->name),
             message("sch.reorder({}, {})", (*at)->var->name, loops.front()->var->name));
      return {};
    }
    bool after = false;
    std::string follows;
    forEachStmt((*first)->body, [&](const Stmt& s) {
      const auto* r = asRealize(s);
      if (r && after && follows.empty()) follows = r->block->name;
      after |= r == &n;
      return !r;
    });
    if (!follows.empty()) {
      refuse(n, shared,
             message("threads along {} share the sums of block {}, but block {} follows it inside of loop {}: it "
                     "would run before the sum is complete",
                     shared.thread, block.name, follows, (*first)->var->name));
      return {};
    }
    return loops;
  }

  bool partsThreads(const Expr& condition) const {
    return usesVar(condition, [&](const VarNode* v) {
      const auto at = from_.find(v);
      return at != from_.end() && isThreadIdx(at->second->thread);
    });
  }

  void share(const BlockRealizeNode& n, const ForNode& shared) {
    const BlockNode& block = *n.block;
    const Loops loops = summedOver(n, shared);
    if (loops.empty()) return;
    if (!block.init) {
      return refuse(n, shared,
                    message("loop {} is bound to {}, but block {} sums over it and has no T.init: all threads would "
                            "add to one element at once",
                            shared.var->name, shared.thread, block.name),
                    message("without sch.decompose_reduction(…), which took T.init away, threads share the sum"));
    }
    const auto reduction = schedule::reductionInParts(block);
    if (!reduction) {
      return refuse(n, shared,
                    message("loop {} is bound to {}, but threads can't share what block {} computes: {}",
                            shared.var->name, shared.thread, block.name, reduction.error().message),
                    bindAnother(n, shared));
    }
    for (const Buffer& b : reduction->buffers) {
      if (writers_[b.get()] == 1) continue;
      return refuse(n, shared,
                    message("threads along {} share the sums of block {}, but another block writes {}, too",
                            shared.thread, block.name, b->name));
    }
    const auto local = [](const Buffer& b) { return b->scope == "local"; };
    if (std::ranges::any_of(reduction->buffers, local) != std::ranges::all_of(reduction->buffers, local)) {
      return refuse(n, shared,
                    message("threads along {} share the sums of block {}, which must all be in registers, or none",
                            shared.thread, block.name));
    }
    if (std::ranges::any_of(conditions_, [&](const Expr& c) { return partsThreads(c); })) {
      return refuse(n, shared,
                    message("threads along {} share the sums of block {} in a branch that only some threads of the "
                            "block take",
                            shared.thread, block.name),
                    message("sch.split(…) with factors that divide the extents"));
    }
    shared_[loops.front()] = {&n, *reduction, loops};
  }

  // A part of what the block was, by its name.
  static Stmt part(const BlockNode& block, Stmt body) {
    BlockNode b;
    b.id = block.id;
    b.name = block.name;
    b.body = std::move(body);
    return realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(b)));
  }

  // for k1 (threadIdx.x):
  //   own = 0;  for k0: own += A[k0, k1]        each thread's own part
  //   own = the sum over k1 of own              shuffles
  //   if k1 == 0: B = own
  Stmt statements(const Stmt& outermost, const Shared& shared) {
    const BlockRealizeNode& n = *shared.realize;
    const BlockNode& block = *n.block;
    const schedule::Reduction& reduction = shared.reduction;
    const std::function<Id()> newId = [this] { return Id{~std::uint32_t{0}, ++made_}; };
    const std::vector<Expr> first{intImm(0)};
    std::vector<Buffer> own;
    std::vector<Stmt> begin, fill;
    for (std::size_t i = 0; i < reduction.buffers.size(); ++i) {
      const Buffer& of = reduction.buffers[i];
      own.push_back(makeBuffer(newId(), "in_thread_" + of->name, of->dtype, {intImm(1)}, "local"));
      begin.push_back(store(own[i], reduction.reducer.identity[i], first));
      fill.push_back(store(own[i], reduction.values[i], first));
    }
    std::vector<Buffer> allocated = own;
    std::vector<Stmt> all;
    const bool adds =
        !isTrue(n.predicate) || std::ranges::any_of(shared.loops, [](const ForNode* l) { return !isThread(*l); });
    if (adds) all.push_back(part(block, seq(std::move(begin))));
    Stmt inPlace = edit(n, [&](BlockRealizeNode& r) {
      r.block = edit(block, [&](BlockNode& b) {
        b.init = nullptr;
        b.writes.clear();
        for (const Buffer& o : own) b.writes.push_back(wholeRegion(o));
        b.body = adds ? ownSum(reduction, block, own, allocated, newId) : seq(std::move(fill));
      });
    });
    all.push_back(OwnPart(n, std::move(inPlace), shared.loops, rewritten_).rewrite(outermost));

    auto reduced = [&](const ForNode* l) { return std::ranges::find(shared.loops, l) != shared.loops.end(); };
    Loops threads = threads_;
    for (const ForNode* l : shared.loops)
      if (isThread(*l) && std::ranges::find(threads, l) == threads.end()) threads.push_back(l);
    const bool everywhere = reduction.buffers.front()->scope == "local";
    SharedSum sum = sharedSum(reduction, own, sharingThreads(launch_, threads, reduced), everywhere, newId);
    allocated.insert(allocated.end(), sum.buffers.begin(), sum.buffers.end());
    all.push_back(part(block, std::move(sum.statements)));
    all.push_back(writtenBack(shared, sum.results, everywhere));

    BlockNode around;
    around.allocs = std::move(allocated);
    around.body = seq(std::move(all));
    Stmt result = realize({}, boolImm(true), std::make_shared<const BlockNode>(std::move(around)));
    for (auto at = shared.loops.rbegin(); at != shared.loops.rend(); ++at)
      if (isThread(**at)) result = edit(**at, [&](ForNode& m) { m.body = std::move(result); });
    return result;
  }

  // The block's body, adding to the thread's own part.
  static Stmt ownSum(const schedule::Reduction& reduction, const BlockNode& block, const std::vector<Buffer>& own,
                     std::vector<Buffer>& allocated, const std::function<Id()>& newId) {
    if (own.size() == 1) return OneElement(reduction.buffers[0], own[0]).rewrite(block.body);
    const std::vector<Expr> first{intImm(0)};
    std::vector<Expr> held;
    for (const Buffer& b : own) held.push_back(load(b, first));
    const std::vector<Expr> values = reduction.reducer.combine(held, reduction.values);
    std::vector<Stmt> stores;  // all are computed before the first is stored
    for (std::size_t i = 0; i < own.size(); ++i) {
      allocated.push_back(makeBuffer(newId(), "more_" + own[i]->name, own[i]->dtype, {intImm(1)}, "local"));
      stores.push_back(store(allocated.back(), values[i], first));
    }
    for (std::size_t i = 0; i < own.size(); ++i)
      stores.push_back(store(own[i], load(allocated[allocated.size() - own.size() + i], first), first));
    return seq(std::move(stores));
  }

  // Each thread stores to registers of its own; of other memory the first of those that share the sum.
  static Stmt writtenBack(const Shared& shared, const std::vector<Expr>& results, bool everywhere) {
    const BlockRealizeNode& n = *shared.realize;
    Expr predicate = boolImm(true);
    std::vector<Expr> conditions;
    parts(n.predicate, conditions);
    for (const Expr& c : conditions)
      if (!uses(c, shared.loops)) predicate = andOf(predicate, c);
    for (const ForNode* l : shared.loops)
      if (!everywhere && isThread(*l)) predicate = andOf(predicate, eq(l->var, intImm(0, l->var->dtype)));
    std::vector<Expr> values;
    std::vector<Stmt> stores;
    for (std::size_t i = 0; i < results.size(); ++i)
      stores.push_back(store(shared.reduction.buffers[i], results[i], shared.reduction.indices));
    Block block = edit(*n.block, [&](BlockNode& b) {
      b.iters.clear();
      for (std::size_t i = 0; i < n.block->iters.size(); ++i) {
        if (n.block->iters[i].type == IterType::Reduce) continue;
        b.iters.push_back(n.block->iters[i]);
        values.push_back(n.values[i]);
      }
      b.reads.clear();
      b.annotations.clear();
      b.init = nullptr;
      b.body = seq(std::move(stores));
    });
    return realize(std::move(values), std::move(predicate), std::move(block));
  }

  const Launch launch_;
  std::uint32_t& made_;                                      // buffers so far
  std::unordered_map<const BufferNode*, int> writers_;       // innermost blocks that write it
  std::unordered_map<const VarNode*, const ForNode*> from_;  // what hardware loop a variable follows
  Loops scope_, threads_;  // loops around: up to the next block; all that are bound to threads
  std::vector<Expr> conditions_;
  std::unordered_map<const ForNode*, Shared> shared_;  // by the outermost loop that the block sums over
  Rewritten rewritten_;                                // loops and blocks
};

}  // namespace

Result<Stmt> reduceAcrossThreads(const Stmt& s, const Limits& limits, bool byElements,
                                 const std::vector<Symbol>& symbols) {
  const auto& root = *asRealize(s);
  std::uint32_t made = 0;
  std::vector<Stmt> nests;
  bool shared = false;
  const Stmt& body = root.block->body;
  for (const Stmt& nest : body->kind == StmtKind::Seq ? asSeq(body)->stmts : std::vector<Stmt>{body}) {
    const auto launch = findLaunch(nest, limits, byElements, symbols);
    Sharing sharing(s, launch ? *launch : Launch(), made);
    nests.push_back(sharing.rewrite(nest));
    if (sharing.error) return Failure(*sharing.error);
    // What is wrong with the launch is said of the nest that becomes a kernel.
    if (!launch) nests.back() = nest;
    shared |= nests.back() != nest;
  }
  if (!shared) return s;
  return Stmt(edit(root, [&](BlockRealizeNode& r) {
    r.block = edit(*root.block, [&](BlockNode& b) { b.body = seq(std::move(nests)); });
  }));
}

}  // namespace loom::lower
