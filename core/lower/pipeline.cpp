// Software pipelines. Source of what the annotations mean: TVM, inject_software_pipeline.cc; how many groups of copies
// a wait may leave pending is counted here from the statements that are made, where TVM 0.22 allows one too many for
// some orders.
#include <algorithm>
#include <set>

#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/bulk_stores.h"
#include "core/lower/clusters.h"
#include "core/lower/device_passes.h"
#include "core/lower/launch.h"
#include "core/lower/over_ring.h"
#include "core/lower/pipelined_loop.h"
#include "core/lower/products.h"
#include "core/lower/ring_sizes.h"
#include "core/lower/roles.h"
#include "core/lower/transfers.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::intImm;

class Overlapping {
 public:
  // `staged`: buffers that have several versions by now.
  Overlapping(Kernel& kernel, RingSizes sizes, Buffers staged)
      : kernel_(kernel), sizes_(std::move(sizes)), versioned_(std::move(staged)) {}

  Result<std::vector<Remark>> run() {
    const auto over = blockOverRing(kernel_.body);
    if (!over) return Failure(over.error());
    overRing_ = *over;
    Stmt body = statement(kernel_.body);
    if (error_) return Failure(*error_);
    if (overRing_ && !isOver_)
      return notAKernel(
          message("\"{}\" of block {} needs warps that load tiles into ring buffers: who has read the last "
                  "one tells the others",
                  kOverRing, overRing_->name),
          {overRing_->block}, message("sch.annotate(the copies, \"{}\", \"load\")", kRole));
    if (const auto known = inFlight(kernel_.body); !known) return Failure(known.error());
    if (const auto known = askedEarly(kernel_.body); !known) return Failure(known.error());
    std::vector<Remark> remarks = sizes_.withoutEffect(versioned_);
    for (Remark& r : remarks_) addRemark(remarks, std::move(r));
    kernel_.body = body;
    return remarks;
  }
  // Copies that are asked for before the threads of the block meet; null where none are.
  const Stmt& early() const { return early_; }
  // What loading warps do at the end of the kernel; null if nothing.
  const Stmt& late() const { return late_; }

 private:
  void refuse(Message what, std::vector<Id> subjects, Message remedy = {}) {
    if (!error_) error_ = notAKernel(std::move(what), std::move(subjects), std::move(remedy)).value();
  }

  Stmt statement(const Stmt& s) {
    if (s->kind == StmtKind::Loop && as<LoopNode>(s)->overlap) return seq(pieces(s));
    if (s->kind == StmtKind::Loop && copiesInTurns(*as<LoopNode>(s))) return seq(pieces(s));
    if (s->kind == StmtKind::Loop && as<LoopNode>(s)->use == LoopUse::Serial) {
      around_.push_back(as<LoopNode>(s));
      Stmt result = mapChildren(s, [&](const Stmt& c) { return statement(c); });
      around_.pop_back();
      return result;
    }
    return mapChildren(s, [&](const Stmt& c) { return statement(c); });
  }

  // A loop that asks the copy engine for boxes, and whose iterations don't overlap: it waits for them as a pipeline
  // does.
  static bool copiesInTurns(const LoopNode& loop) {
    const Stmt* body = &loop.body;
    while ((*body)->kind == StmtKind::Block && !onlyTransfers(*body)) body = &as<BlockNode>(*body)->body;
    if (loop.use != LoopUse::Serial) return false;
    return (*body)->kind == StmtKind::Seq ? std::ranges::any_of(as<SeqNode>(*body)->stmts, onlyTransfers)
                                          : onlyTransfers(*body);
  }

  // The statements of a pipeline's body, as its lists count them: those of a sequence, of a block's sequence within it,
  // and the three pieces of a pipeline within it, of which each may be nothing.
  std::vector<Stmt> partsOf(const Stmt& body) {
    if (body->kind == StmtKind::Block) {
      std::vector<Stmt> parts;
      for (const Stmt& inner : partsOf(as<BlockNode>(body)->body))
        parts.push_back(inner ? edit<BlockNode>(body, [&](BlockNode& n) { n.body = inner; }) : inner);
      return parts;
    }
    if (isPipeline(body)) return pieces(body);
    if (body->kind != StmtKind::Seq) return {statement(body)};
    std::vector<Stmt> parts;
    for (const Stmt& child : as<SeqNode>(body)->stmts) {
      const bool opens =
          isPipeline(child) || (child->kind == StmtKind::Block && as<BlockNode>(child)->body->kind == StmtKind::Seq &&
                                !onlyTransfers(child));
      if (opens) {
        for (const Stmt& part : partsOf(child)) parts.push_back(part);
      } else {
        parts.push_back(statement(once(child)));
      }
    }
    return parts;
  }
  // A loop of one iteration, which the pass "simplify" keeps in a pipeline's body, as its body; else the statement.
  static Stmt once(const Stmt& s) {
    const auto* loop = s->kind == StmtKind::Loop ? as<LoopNode>(s) : nullptr;
    if (!loop || loop->use != LoopUse::Serial || !ir::isConst(loop->extent, 1)) return s;
    return substitute(loop->body, loop->var, ir::intImm(0, loop->var->dtype));
  }
  static bool isPipeline(const Stmt& s) { return s->kind == StmtKind::Loop && as<LoopNode>(s)->overlap.has_value(); }

  std::vector<Stmt> pieces(const Stmt& s) {
    LoopNode loop = *as<LoopNode>(s);
    std::vector<Part> parts;
    for (Stmt& part : partsOf(loop.body)) {
      BufferUses uses = usesOf(part);
      parts.push_back({std::move(part), std::move(uses)});
    }
    if (!loop.overlap) {
      loop.overlap.emplace();
      for (std::size_t p = 0; p < parts.size(); ++p) {
        loop.overlap->stage.push_back(0);
        loop.overlap->order.push_back(int(p));
      }
    }
    if (error_ || !fits(loop, parts)) return {s};
    PipelinedLoop pipelined(kernel_, loop, parts, ownedBy(s, kernel_), sizes_, around_);
    if (!fitsSlots(loop, pipelined) || !fitsVersions(loop, pipelined)) return {s};
    versioned_.merge(pipelined.versioned());
    for (const Remark& r : pipelined.remarks()) addRemark(remarks_, r);
    if (pipelined.iterationsEarly() > 0 && !mayLoadEarly(loop, pipelined)) return {s};
    if (!pipelined.hasRoles()) return pipelined.run();
    if (overRing_ && !mayLieOver(s, loop, pipelined)) return {s};
    Stmt all = pipelined.runRoles();
    if (pipelined.early()) early_ = seq({early_, pipelined.early()});
    late_ = seq({late_, pipelined.late()});
    return {all};
  }

  // Whether a loop stands around the statement, of whatever use.
  bool isWithinLoop(const Stmt& s) const {
    bool within = false;
    forEach(kernel_.body, [&](const Stmt& outer) {
      if (outer->kind == StmtKind::Loop && outer != s)
        forEach(as<LoopNode>(outer)->body, [&](const Stmt& inner) { return within |= inner == s, true; });
      return true;
    });
    return within;
  }

  // Lets sums lie in the bytes of the loop's ring buffers, if nobody uses them before its end, nor the ring buffers
  // beside the loop.
  bool mayLieOver(const Stmt& s, const LoopNode& loop, PipelinedLoop& pipelined) {
    bool passed = false, before = false, beside = false;
    const BufferUses own = usesOf(s);
    const auto inLoop = [&](const ir::BufferNode* b) {
      return std::ranges::count(own.read, b) + std::ranges::count(own.written, b) > 0;
    };
    forEach(kernel_.body, [&](const Stmt& other) {
      passed |= other == s;
      if (other == s) return false;
      const Effects effects = effectsOf(other);
      for (const MemoryEffect& e : effects.memory) {
        const bool isOver = std::ranges::count(overRing_->writes, e.place.buffer) > 0;
        before |= isOver && !passed;
        beside |= !isOver && isShared(e.memory) && inLoop(e.place.buffer.get());
      }
      return true;
    });
    for (const Buffer& b : overRing_->writes) before |= inLoop(b.get());
    if (!around_.empty() || isWithinLoop(s))
      refuse(message("\"{}\" of block {}: a block computes several tiles, and the next one's are on their way to the "
                     "ring buffers by then",
                     kOverRing, overRing_->name),
             {overRing_->block}, message("without \"{}\"", kOverRing));
    else if (before || isOver_)
      refuse(message("\"{}\" of block {}: what it writes is in use before the end of loop {}", kOverRing,
                     overRing_->name, loop.var->name),
             {overRing_->block});
    else if (beside)
      refuse(message("\"{}\" of block {}: shared memory of loop {} is in use beside the loop, too", kOverRing,
                     overRing_->name, loop.var->name),
             {overRing_->block});
    else if (const auto put = pipelined.putOverRing(*overRing_); !put)
      error_ = put.error();
    isOver_ = true;
    return !error_;
  }

  bool mayLoadEarly(const LoopNode& loop, const PipelinedLoop& pipelined) {
    if (!pipelined.hasRoles())
      refuse(message("\"{}\" is of copies that warps of their own ask for; those of loop {} have none", kEarly,
                     loop.var->name),
             loop.origin, message("sch.annotate(the copies, \"{}\", \"load\")", kRole));
    else if (!around_.empty() || !ir::asInt(loop.extent))
      refuse(message("the first copies of loop {} can be early where a block has one tile alone, and the loop's extent "
                     "is a number",
                     loop.var->name),
             loop.origin);
    else if (useOthersMbarriers(kernel_.body))
      refuse(message("no copy of a cluster's blocks can be early: the mbarriers of the others may not be made yet"),
             loop.origin, message("without \"{}\", or without \"{}\" and \"{}\"", kEarly, kClusterX, kClusterY));
    return !error_;
  }

  // Checks the lists against the body, as TVM does.
  bool fits(const LoopNode& loop, const std::vector<Part>& parts) {
    const Overlap& overlap = *loop.overlap;
    const std::string& name = loop.var->name;
    for (const auto& [key, list] : {std::pair{kStage, &overlap.stage}, {kOrder, &overlap.order}}) {
      if (list->size() == parts.size()) continue;
      refuse(message("the body of loop {} has {} statements, and \"{}\" has {} entries", name, parts.size(), key,
                     list->size()),
             loop.origin);
      return false;
    }
    std::set<int> orders(overlap.order.begin(), overlap.order.end());
    if (orders.size() != parts.size() || (!orders.empty() && *orders.rbegin() != int(parts.size()) - 1)) {
      refuse(message("\"{}\" of loop {} isn't each of 0 … {} once", kOrder, name, parts.size() - 1), loop.origin);
      return false;
    }
    if (loop.use == LoopUse::Lanes || loop.use == LoopUse::Virtual) {
      refuse(message("loop {} can't be a pipeline: its iterations are done at once", name), loop.origin);
      return false;
    }
    for (std::size_t writer = 0; writer < parts.size(); ++writer) {
      for (std::size_t reader = writer + 1; reader < parts.size(); ++reader)
        if (!keepsOrder(loop, parts, writer, reader)) return false;
    }
    return true;
  }
  // Whether as many slots as blocks ask for are enough.
  bool fitsSlots(const LoopNode& loop, const PipelinedLoop& pipelined) {
    for (const Allocation& a : kernel_.allocations) {
      const auto asked = sizes_.slotsOf(a.buffer);
      const int least = asked ? pipelined.leastVersions(a.buffer) : 0;
      if (!asked || asked->count >= least) continue;
      refuse(message("{} slots of {} are too few: loop {} with its stages and orders needs {}", asked->count,
                     a.buffer->name, loop.var->name, least),
             {asked->block->block, a.buffer->id}, message("{} = {}", kSlots, least));
      return false;
    }
    return true;
  }
  // Whether so many turns as the loop is unrolled by bring every buffer back to its first version.
  bool fitsVersions(const LoopNode& loop, const PipelinedLoop& pipelined) {
    const int turns = loop.overlap->unroll;
    const int period = pipelined.period([](const ir::BufferNode&) { return true; });
    if (turns == 0 || turns % period == 0) return true;
    refuse(message("loop {} can't be unrolled by {} turns: its buffers are at their first versions again after {}",
                   loop.var->name, turns, period),
           loop.origin, message("sch.annotate({}, \"{}\", {})", loop.var->name, kUnrollStages, period));
    return false;
  }
  bool keepsOrder(const LoopNode& loop, const std::vector<Part>& parts, std::size_t writer, std::size_t reader) {
    const Overlap& o = *loop.overlap;
    for (const ir::BufferNode* b : parts[writer].uses.written) {
      if (!parts[reader].reads(b)) continue;
      if (o.stage[writer] < o.stage[reader] ||
          (o.stage[writer] == o.stage[reader] && o.order[writer] < o.order[reader]))
        continue;
      refuse(
          message(
              "statement {} of loop {} (stage {}, order {}) reads {}, which statement {} (stage {}, order {}) writes: "
              "in the pipeline it would come before",
              reader, loop.var->name, o.stage[reader], o.order[reader], b->name, writer, o.stage[writer],
              o.order[writer]),
          loop.origin);
      return false;
    }
    return true;
  }

  Kernel& kernel_;
  const RingSizes sizes_;
  Buffers versioned_;            // that have several versions
  std::vector<Remark> remarks_;  // what loops became otherwise than they ask
  Stmt early_, late_;
  std::vector<const LoopNode*> around_;  // serial loops around, from the outermost on
  const BlockNode* overRing_ = nullptr;  // asks for the bytes of ring buffers
  bool isOver_ = false;                  // whether it has got them
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<Remark>> overlapLoops(Kernel& kernel) {
  auto sizes = RingSizes::of(kernel);
  if (!sizes) return Failure(sizes.error());
  const Stmt before = kernel.body;  // whose blocks `sizes` knows
  Buffers staged = awaitStores(kernel, *sizes);
  Overlapping overlapping(kernel, std::move(*sizes), std::move(staged));
  auto remarks = overlapping.run();
  if (!remarks) return remarks;
  if (overlapping.late()) kernel.body = seq({kernel.body, ofLoaders(overlapping.late())});
  if (auto split = splitRoles(kernel); !split) return Failure(split.error());
  awaitTransfers(kernel, overlapping.early());
  for (const Mbarrier& b : kernel.mbarriers)
    if (b.slots > kMostSlotsOfMbarrier)
      return notAKernel(
          message("{} slots of {}: a thread keeps a bit for the phase of each in one register, which has {}", b.slots,
                  b.buffer->name, kMostSlotsOfMbarrier),
          {}, message("fewer stages or slots of what the copy engine fills"));
  return remarks;
}

}  // namespace loom::lower
