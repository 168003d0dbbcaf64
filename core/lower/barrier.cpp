#include <algorithm>
#include <iterator>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/ir/loads.h"
#include "core/ir/visit.h"
#include "core/lower/access_conflicts.h"
#include "core/lower/barrier_orders.h"
#include "core/lower/block_uniform.h"
#include "core/lower/clusters.h"
#include "core/lower/device_passes.h"
#include "core/lower/execution_group.h"
#include "core/lower/launch.h"
#include "core/lower/roles.h"
#include "core/lower/shared_accesses.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::intImm;

// The accesses of a statement: before its first barrier, and after its last. Without a barrier both are all of them.
struct Summary {
  std::vector<SharedAccess> head, tail;
  bool barrier = false;
  bool warpBarrier = false;  // lanes of each warp meet
};

class BarrierPlacement {
 public:
  // Whose threads are to meet: those of all blocks of a cluster, where these use each other's memory, or of each block.
  enum class Level : std::uint8_t { Cluster, Block };

  BarrierPlacement(const Kernel& kernel, Level level, SharedAccesses& shared, AccessConflicts& conflicts)
      : kernel_(kernel), level_(level), shared_(shared), conflicts_(conflicts), uniform_(kernel) {}

  Result<Stmt> run() {
    Summary summary;
    Stmt body = walk(kernel_.body, summary);
    if (error_) return Failure(*error_);
    // A block's shared memory is there as long as others may read it. What they have read they have used by then, so
    // that no writes need to be seen behind the barrier, which would take the memory system long.
    if (level_ == Level::Cluster && std::ranges::any_of(summary.tail, &SharedAccess::ofOthers))
      body = withMeetingAtEnd(body);
    return body;
  }

 private:
  // Whether threads that are to meet may have different values of a condition, or of a loop's extent. Blocks of a
  // cluster may read different ones.
  bool divergent(const Expr& value) const {
    const bool reads = level_ == Level::Cluster && ir::readsMemory(value);
    return reads || !uniform_.is(value) || differsInCluster(value);
  }
  // Whether blocks that are to meet may have different values, as their numbers are in it.
  bool differsInCluster(const Expr& value) const {
    if (level_ == Level::Block) return false;
    for (std::size_t axis = 0; axis < kernel_.cluster.size(); ++axis)
      if (kernel_.cluster[axis] > 1 && !sameInCluster(kernel_, axis, value, loops_)) return true;
    return false;
  }

  // Whether the statement has a barrier of the level; `inLoop`: in a loop.
  bool holdsBarrier(const Stmt& s, bool inLoop) const {
    bool found = false;
    if (!s) return found;
    forEach(s, [&](const Stmt& inner) {
      if (inLoop && inner->kind == StmtKind::Loop) found |= holdsBarrier(as<LoopNode>(inner)->body, false);
      if (inLoop || inner->kind != StmtKind::Sync) return !found;
      const Token token = as<SyncNode>(inner)->token;
      found |= token == (level_ == Level::Cluster ? Token::ClusterExchange : Token::BlockBarrier);
      return !found;
    });
    return found;
  }
  // Behind all that those threads do which meet.
  Stmt withMeetingAtEnd(const Stmt& s) const {
    switch (s->kind) {
      case StmtKind::Seq: {
        std::vector<Stmt> stmts = as<SeqNode>(s)->stmts;
        stmts.back() = withMeetingAtEnd(stmts.back());
        return seq(std::move(stmts));
      }
      case StmtKind::Block: return edit<BlockNode>(s, [&](BlockNode& n) { n.body = withMeetingAtEnd(n.body); });
      case StmtKind::If:
        if (!holdsBarrier(as<IfNode>(s)->yes, false) || !divergent(as<IfNode>(s)->condition)) break;
        return edit<IfNode>(s, [&](IfNode& n) { n.yes = withMeetingAtEnd(n.yes); });
      default: break;
    }
    return seq({s, clusterBarrier()});
  }
  // The kernel's last statement, after which threads end.
  const StmtNode* lastStatement() const {
    const Stmt* s = &kernel_.body;
    while ((*s)->kind == StmtKind::Seq || (*s)->kind == StmtKind::Block)
      s = (*s)->kind == StmtKind::Seq ? &as<SeqNode>(*s)->stmts.back() : &as<BlockNode>(*s)->body;
    return s->get();
  }

  // A barrier in a branch that some threads take. One of the block can't be there. For one of the cluster those count
  // that haven't ended (PTX ISA, barrier.cluster): it can be where the other branch is the last that whole warps do, as
  // those do that load alone, if they don't wait for what comes behind the barrier, as those do at their end that wait
  // for other blocks; but not a whole block's, whose memory others may still read.
  void checkBranches(const Stmt& s, const Stmt& yes, const Stmt& no) {
    const auto& n = *as<IfNode>(s);
    if ((!holdsBarrier(yes, false) && !holdsBarrier(no, false)) || !divergent(n.condition)) return;
    const auto ofLanes = [&](const ir::VarNode* v) { return v == kernel_.threadIdx[0].get(); };
    const bool warps = kernel_.block[0] % kWarpLanes == 0 && !ir::usesVar(n.condition, ofLanes);
    if (level_ == Level::Block || !warps || s.get() != lastStatement() || holdsBarrier(no, false) ||
        differsInCluster(n.condition) || (no && useOthersMbarriers(no)))
      error_ = apartError({n.yes, n.no}, n.condition, false);
    else if (holdsBarrier(yes, true))
      error_ = notAKernel(message("the blocks of a cluster meet after each of several tiles, and the warps that load "
                                  "would be waited for, which wait for the next tile themselves"),
                          block_ ? std::vector<Id>{block_} : std::vector<Id>{},
                          message("a tile for each block of the grid, or copies without \"{}\"", kRole))
                   .value();
  }

  // Of a barrier in these branches or this loop's body, which some threads skip or execute more often, as `value` says.
  // Names the blocks inside: one of them fills what another reads.
  Error apartError(const std::vector<Stmt>& bodies, const Expr& value, bool isLoop) const {
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
    for (const Stmt& body : bodies)
      if (body) forEach(body, collect);
    if (differsInCluster(value))
      return notAKernel(
                 names.empty() ? message("blocks of a cluster would meet in a part of the kernel that not all of "
                                         "them run equally often: one statement inside it reads what another "
                                         "block wrote")
                               : message("blocks of a cluster would meet in a part of the kernel that not all of "
                                         "them run equally often (around {}): one statement inside it reads "
                                         "what another block wrote",
                                         names),
                 subjects, message("a condition, or a loop's length, that is the same for all blocks of the cluster"))
          .value();
    if (isLoop)
      return notAKernel(
                 names.empty()
                     ? message(
                           "a barrier would stand in a loop that threads of the block may repeat differently often: "
                           "one statement inside it reads what another thread wrote")
                     : message("a barrier would stand in a loop that threads of the block may repeat differently often "
                               "(around {}): one statement inside it reads what another thread wrote",
                               names),
                 subjects,
                 message("a loop whose length is the same for all threads of the block, with T.where(…) around what "
                         "some of them skip, or sch.compute_at(…) that takes the copy out of the loop"))
          .value();
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

  Meeting between(const std::vector<SharedAccess>& before, const std::vector<SharedAccess>& after) {
    if (level_ == Level::Block) return conflicts_.between(before, after);
    for (const SharedAccess& a : before)
      for (const SharedAccess& b : after)
        if (conflicts_.acrossBlocks(a, b)) return Meeting::Cluster;
    return Meeting::None;
  }

  static void append(std::vector<SharedAccess>& to, const std::vector<SharedAccess>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }
  static void append(std::vector<SharedAccess>& to, std::vector<SharedAccess>&& from) {
    if (to.empty())
      to.swap(from);
    else
      to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
  }
  static void metAfter(std::vector<SharedAccess>& accesses) {
    for (SharedAccess& a : accesses) a.metAfter = true;
  }
  static void follow(Summary& all, Summary next) {
    if (next.warpBarrier) metAfter(all.tail);
    if (all.warpBarrier)
      for (SharedAccess& a : next.head) a.metBefore = true;
    all.warpBarrier |= next.warpBarrier;
    if (!all.barrier) append(all.head, std::move(next.head));
    if (next.barrier) {
      all.tail = std::move(next.tail);
      all.barrier = true;
    } else {
      append(all.tail, std::move(next.tail));
    }
  }

  Stmt walk(const Stmt& s, Summary& summary) {
    switch (s->kind) {
      case StmtKind::Store:
      case StmtKind::Operation: summary.head = summary.tail = shared_.of(s); return s;
      case StmtKind::Sync:
        summary.barrier = level_ == Level::Cluster ? meetsCluster(effectsOf(s)) : meetsBlock(effectsOf(s));
        summary.warpBarrier = as<SyncNode>(s)->token == Token::WarpBarrier;
        summary.head = summary.tail = shared_.of(s);
        return s;
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
      if (const Meeting meeting = between(pending, inner.head); meeting != Meeting::None) {
        Summary wait;
        wait.barrier = meeting != Meeting::Warp;
        wait.warpBarrier = !wait.barrier;
        out.push_back(meeting == Meeting::Cluster ? clusterExchange() : wait.barrier ? barrier() : warpBarrier());
        if (wait.barrier) pending.clear();
        metAfter(pending);
        follow(summary, wait);
      }
      out.push_back(placed);
      if (inner.barrier) pending.clear();
      if (inner.warpBarrier) metAfter(pending);
      append(pending, inner.tail);
      follow(summary, std::move(inner));
    }
    return seq(std::move(out));
  }

  Stmt walkLoop(const Stmt& s, Summary& summary) {
    const auto& loop = *as<LoopNode>(s);
    shared_.enter(loop);
    loops_.push_back(&loop);
    Summary first;
    Stmt body = walk(loop.body, first);
    const std::vector<SharedAccess> before = leftBefore(first, loop.var);
    if (!ir::isConst(loop.extent, 1) && between(before, first.head) != Meeting::None) {
      // The next iteration meets this one: the barrier stands before the first statement that would.
      Summary again;
      const Stmt& inner = loop.body;
      std::vector<Stmt> stmts = inner->kind == StmtKind::Seq ? as<SeqNode>(inner)->stmts : std::vector<Stmt>{inner};
      body = walkSeq(stmts, again, &before);
      first = std::move(again);
    }
    shared_.leave(loop);
    loops_.pop_back();
    if (!error_ && holdsBarrier(body, false) && divergent(loop.extent))
      error_ = apartError({loop.body}, loop.extent, true);
    atIteration(first.head, loop, intImm(0, loop.var->dtype), first.barrier);
    atIteration(first.tail, loop, arith::Analyzer().simplify(loop.extent - intImm(1, loop.var->dtype)), first.barrier);
    summary = std::move(first);
    return edit<LoopNode>(s, [&](LoopNode& n) { n.body = body; });
  }

  // Accesses of a loop, as statements outside of it see them. Where a barrier stands in each iteration, only the first
  // or the last iteration can meet them, whose versions are known; where none does, any of them.
  static void atIteration(std::vector<SharedAccess>& accesses, const LoopNode& loop, const Expr& iteration,
                          bool barrier) {
    const auto isVar = [&](const ir::VarNode* v) { return v == loop.var.get(); };
    for (SharedAccess& a : accesses) {
      if (std::ranges::none_of(a.versions, [&](const Expr& version) { return ir::usesVar(version, isVar); })) continue;
      if (!barrier) a.versions.clear();
      for (Expr& version : a.versions)
        version = arith::Analyzer().simplify(ir::substitute(version, {{loop.var.get(), iteration}}));
    }
  }

  // What an iteration leaves, as the next one sees it. Where a barrier stands in each iteration, it is only the one
  // before that can meet this one; where none does, any of those before, of which nobody knows the versions.
  static std::vector<SharedAccess> leftBefore(const Summary& iteration, const Var& var) {
    std::vector<SharedAccess> accesses = iteration.tail;
    for (SharedAccess& a : accesses) {
      if (!iteration.barrier) a.versions.clear();
      a = ofIterationBefore(std::move(a), var);
    }
    return accesses;
  }

  Stmt walkIf(const Stmt& s, Summary& summary) {
    const auto& n = *as<IfNode>(s);
    const std::vector<SharedAccess> condition = shared_.of(s);
    Summary yes, no;
    Expr outer = shared_.enterBranch(n.condition);
    Stmt yesBody = n.yes ? walk(n.yes, yes) : nullptr;
    shared_.leaveBranch(std::move(outer));
    Stmt noBody = n.no ? walk(n.no, no) : nullptr;
    // Also barriers deeper inside, which a further branch or a loop may skip.
    if (!error_) checkBranches(s, yesBody, noBody);
    summary.head = condition;
    append(summary.head, yes.head);
    append(summary.head, no.head);
    summary.tail = condition;
    append(summary.tail, yes.tail);
    append(summary.tail, no.tail);
    // A branch that may be skipped is no barrier for what comes before it.
    summary.barrier = n.no && yes.barrier && no.barrier;
    summary.warpBarrier = n.no && yes.warpBarrier && no.warpBarrier;
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
  const Level level_;
  SharedAccesses& shared_;
  AccessConflicts& conflicts_;
  const BlockUniform uniform_;
  std::vector<const LoopNode*> loops_;  // around, outermost first
  Id block_;
  std::optional<Error> error_;
};

}  // namespace

Result<Stmt> placeBarriers(const Kernel& kernel, const std::vector<ir::Symbol>& symbols) {
  Kernel placed = kernel;
  SharedAccesses shared(placed, symbols);
  AccessConflicts conflicts(placed);
  for (const auto level : {BarrierPlacement::Level::Cluster, BarrierPlacement::Level::Block}) {
    const bool alone = level == BarrierPlacement::Level::Block ? kernel.threads() == 1 : kernel.blocksOfCluster() == 1;
    if (alone) continue;
    auto body = BarrierPlacement(placed, level, shared, conflicts).run();
    if (!body) return body;
    placed.body = *body;
  }
  return explainBarriers(placed, shared, conflicts);
}

}  // namespace loom::lower
