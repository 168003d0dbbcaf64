// Software pipelines. Source of what the annotations mean: TVM, inject_software_pipeline.cc; how many groups of copies
// a wait may leave pending is counted here from the statements that are made, where TVM 0.22 allows one too many for
// some orders.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/annotations.h"
#include "core/lower/device_passes.h"
#include "core/lower/known_values.h"
#include "core/lower/launch.h"
#include "core/lower/pipeline_timetable.h"
#include "core/lower/products.h"
#include "core/lower/ring_sizes.h"
#include "core/lower/roles.h"
#include "core/lower/transfers.h"
#include "core/lower/versions.h"

namespace loom::lower {
namespace {

using namespace device;
using ir::intImm;

// A statement of a pipeline's body, null where there is nothing to do, and what it uses.
struct Part {
  Stmt stmt;
  BufferUses uses;
  bool reads(const ir::BufferNode* b) const { return std::ranges::count(uses.read, b) > 0; }
  bool writes(const ir::BufferNode* b) const { return std::ranges::count(uses.written, b) > 0; }
};

bool isShared(const ir::BufferNode& b) { return device::isShared(memoryOf(b.scope).value_or(Memory::Local)); }

bool isPrivate(const ir::BufferNode& b) { return !isVisible(memoryOf(b.scope).value_or(Memory::Local)); }

Expr simplified(const Expr& e) { return arith::Analyzer().simplify(e); }

// One loop whose iterations overlap, with the statements of its body.
class PipelinedLoop {
 public:
  // `parts`: of the body, in order; `owned`: the buffers that only the loop uses; `sizes`: how many versions of them
  // are asked for.
  // `around`: the serial loops around, from the outermost on.
  PipelinedLoop(Kernel& kernel, const LoopNode& loop, std::vector<Part> parts, const std::vector<Buffer>& owned,
                const RingSizes& sizes, std::vector<const LoopNode*> around)
      : kernel_(kernel), loop_(loop), parts_(std::move(parts)), around_(std::move(around)) {
    const Overlap& overlap = *loop.overlap;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const bool async = std::ranges::count(overlap.asyncStages, overlap.stage[p]) > 0;
      steps_.push_back({int(p), overlap.stage[p], overlap.order[p], async});
      inFlight_.push_back(inFlight(parts_[p].stmt).value_or(0));
      last_ = std::max(last_, overlap.stage[p]);
    }
    std::ranges::sort(steps_, {}, &Timetable::Step::order);
    for (const Buffer& b : owned)
      if (const int count = versionsOf(b, sizes); count > 1) versions_[b.get()] = {b, count};
    markCopies();
    findTransfers();
  }

  // The buffers that have several versions in this loop.
  Buffers versioned() const {
    Buffers all;
    for (const auto& [buffer, version] : versions_) all.insert(buffer);
    return all;
  }

  // The least number of turns after which every buffer of `which` is at its first version again.
  int period(bool (*which)(const ir::BufferNode&)) const {
    int turns = 1;
    for (const auto& [buffer, version] : versions_)
      if (which(*buffer)) turns = std::lcm(turns, version.count);
    return turns;
  }

  // The least number of versions of a buffer: in a turn, a writer's iteration is `later` ones ahead of a reader's, and
  // fills the slot of so many before its own; only where the reader comes first may that be the reader's.
  int leastVersions(const Buffer& b) const {
    const auto allocation = std::ranges::find(kernel_.allocations, b, &Allocation::buffer);
    int least = 1;
    for (const Timetable::Step& writer : steps_) {
      for (const Timetable::Step& reader : steps_) {
        if (!partOf(writer).writes(b.get()) || !partOf(reader).reads(b.get())) continue;
        // Warps of their own load as soon as a slot is free, however many there are.
        const int later = hasRoles() ? 0 : reader.stage - writer.stage;
        // What tensor cores read by themselves they have read so many turns later.
        const int stays = isShared(*b) ? inFlight_[std::size_t(reader.part)] : 0;
        if (later + stays > 0 && mayMeet(partOf(writer).stmt, partOf(reader).stmt, *allocation))
          least = std::max(least, later + stays + (writer.order < reader.order));
      }
    }
    return least;
  }

  // Whether warps of their own ask for the copies.
  bool hasRoles() const {
    return std::ranges::any_of(parts_, [](const Part& p) { return hasTransfers(p.stmt) && isLoader(p.stmt); });
  }

  // The loop of the warps that load, and that of the others, which hand slots of the ring to each other.
  Stmt runRoles() {
    makeVersions();
    const int most = std::ranges::max(inFlight_);
    for (Ring& ring : rings_)
      ring.free = addOpenMbarrier(kernel_, "empty", ring.slots, int(kernel_.block[1] * kernel_.block[2]));
    const auto loop = [&](const auto& body) { return loopOver(loop_.extent, LoopUse::Serial, body); };
    std::vector<Stmt> all{ofLoaders(loop([&](const Expr& k) { return loading(k); })),
                          loop([&](const Expr& k) { return working(k, most); })};
    if (most > 0) {
      auto wait = std::make_shared<SyncNode>();
      wait->token = Token::Products;
      all.push_back(std::move(wait));
      for (int n = most; n > 0; --n) all.push_back(releasedAtEnd(n));
    }
    return seq(std::move(all));
  }

  // The first iterations, the loop, and the last ones; null where there are none.
  std::vector<Stmt> run() {
    const auto* constant = ir::asInt(loop_.extent);
    const Timetable timetable(steps_, needs(), constant ? std::optional(constant->value) : std::nullopt);
    std::vector<Stmt> made{beginning(timetable), steady(timetable), ending(timetable)};
    makeVersions();
    arith::Analyzer analyzer;
    for (Stmt& piece : made) piece = withKnownValues(piece, analyzer);
    return made;
  }

 private:
  struct Version {
    Buffer buffer;
    int count = 1;
  };

  const Part& partOf(const Timetable::Step& step) const { return parts_[std::size_t(step.part)]; }

  void makeVersions() {
    for (const auto& [buffer, version] : versions_)
      for (Allocation& a : kernel_.allocations)
        if (a.buffer.get() == buffer) multiply(a, version.count);
  }

  // As TVM counts them: from the stage that writes the buffer to the last one that reads it. Where these are
  // neighbours, one version is enough unless a writer comes first in its turn.
  int versionsOf(const Buffer& b, const RingSizes& sizes) const {
    constexpr int kNever = -1;
    int written = kNever, read = kNever, users = 0;
    for (const Timetable::Step& step : steps_) {
      const bool writes = partOf(step).writes(b.get()), reads = partOf(step).reads(b.get());
      users += writes || reads;
      if (writes) written = written == kNever ? step.stage : std::min(written, step.stage);
      if (reads) read = std::max(read, step.stage);
    }
    if (written == kNever || users < 2) return 1;
    if (const auto asked = sizes.slotsOf(b)) return asked->count;
    int count = read - written + 1;
    if (count == 2 && !overtakes(b)) count = 1;
    if (count <= 1 && sizes.isDoubled(b)) count = 2;
    return std::max(count, isTransferred(b.get()) || isReadInFlight(b.get()) ? leastVersions(b) : 1);
  }
  // Whether a statement writes for a later iteration what another is yet to read for an earlier one: the ends of a
  // pipeline inside may do so at once, in different versions.
  bool overtakes(const Buffer& b) const {
    const auto allocation = std::ranges::find(kernel_.allocations, b, &Allocation::buffer);
    for (const Timetable::Step& writer : steps_) {
      if (!partOf(writer).writes(b.get())) continue;
      for (const Timetable::Step& reader : steps_) {
        if (writer.order < reader.order && writer.stage < reader.stage && partOf(reader).reads(b.get()) &&
            mayMeet(partOf(writer).stmt, partOf(reader).stmt, *allocation))
          return true;
      }
    }
    return false;
  }

  bool isTransferred(const ir::BufferNode* b) const {
    return std::ranges::any_of(parts_, [&](const Part& p) { return p.writes(b) && hasTransfers(p.stmt); });
  }

  bool isReadInFlight(const ir::BufferNode* b) const {
    if (!isShared(*b)) return false;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (inFlight_[p] > 0 && parts_[p].reads(b)) return true;
    return false;
  }

  // Copies of the copy engine that one mbarrier tells of: those of one stage, into as many slots.
  struct Ring {
    int barrier = -1, stage = 0, slots = 1;
    int free = -1;               // the mbarrier of free slots, where warps of their own load
    std::int64_t bytes = 0;      // of one iteration
    std::vector<int> writers;    // steps, in their order
    int reader = -1;             // the step that comes first of those that read what one iteration brings
    std::vector<Landed> landed;  // without versions
  };
  void findTransfers() {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const Part& part = partOf(steps_[s]);
      if (!hasTransfers(part.stmt)) continue;
      int slots = 1;
      for (const ir::BufferNode* b : part.uses.written)
        if (const auto v = versions_.find(b); v != versions_.end()) slots = v->second.count;
      auto ring =
          std::ranges::find_if(rings_, [&](const Ring& r) { return r.stage == steps_[s].stage && r.slots == slots; });
      if (ring == rings_.end()) {
        rings_.push_back({-1, steps_[s].stage, slots, -1, 0, {}, -1, {}});
        ring = rings_.end() - 1;
      }
      ring->bytes += transferredBytes(part.stmt);
      ring->writers.push_back(int(s));
      for (const ir::BufferNode* b : part.uses.written) ring->landed.push_back({bufferOf(b), {}, blocksOf(part.stmt)});
    }
    for (Ring& ring : rings_) {
      ring.barrier = addMbarrier(kernel_, "full", ring.slots);
      for (std::size_t s = 0; s < steps_.size(); ++s) {
        const bool reads = std::ranges::any_of(
            ring.writers, [&](int w) { return w != int(s) && !between(steps_[std::size_t(w)], steps_[s]).empty(); });
        if (reads && (ring.reader < 0 || steps_[s].stage < steps_[std::size_t(ring.reader)].stage))
          ring.reader = int(s);
      }
    }
  }
  static Stmt awaitingFull(const Ring& ring, const Expr& slot) {
    std::vector<Landed> landed = ring.landed;
    if (ring.slots > 1)
      for (Landed& l : landed) l.versions = {slot};
    return awaiting(ring.barrier, slot, std::move(landed));
  }
  // The statement of a step in an iteration, with what mbarriers need before it.
  Stmt withRings(std::size_t step, Stmt s, const Expr& iteration) const {
    std::vector<Stmt> all;
    for (const Ring& ring : rings_) {
      const Expr slot = ring.slots > 1 ? versionAt(iteration, ring.slots) : number(0);
      if (ring.reader == int(step)) all.push_back(awaitingFull(ring, slot));
      if (std::ranges::count(ring.writers, int(step)) == 0) continue;
      if (ring.writers.front() == int(step)) all.push_back(expecting(kernel_, ring.barrier, slot, ring.bytes));
      s = toldTo(s, ring.barrier, slot);
    }
    all.push_back(std::move(s));
    return seq(std::move(all));
  }

  // --- roles ---

  // The number of an iteration among all of the loops around, in which a ring goes on.
  Expr running(const Expr& iteration) const {
    Expr outer;
    for (const LoopNode* l : around_) {
      const Expr var = ir::cast(loop_.var->dtype, l->var);
      outer = outer ? outer * ir::cast(loop_.var->dtype, l->extent) + var : var;
    }
    return outer ? simplified(outer * loop_.extent + iteration) : iteration;
  }
  Expr slotAt(const Ring& ring, const Expr& iteration) const {
    return ring.slots > 1 ? versionAt(running(iteration), ring.slots) : number(0);
  }
  Stmt loading(const Expr& k) const {
    std::vector<Stmt> all;
    for (const Ring& ring : rings_) {
      const Expr slot = slotAt(ring, k);
      all.push_back(awaiting(ring.free, slot, {}));
      all.push_back(expecting(kernel_, ring.barrier, slot, ring.bytes));
      for (int w : ring.writers)
        all.push_back(toldTo(instance(steps_[std::size_t(w)], k, running(k)), ring.barrier, slot));
    }
    return seq(std::move(all));
  }
  Stmt working(const Expr& k, int inFlight) const {
    std::vector<Timetable::Step> steps = steps_;
    std::ranges::sort(steps, {}, &Timetable::Step::part);
    std::vector<Stmt> all;
    for (const Timetable::Step& step : steps) {
      if (hasTransfers(partOf(step).stmt)) continue;
      for (const Ring& ring : rings_) {
        if (ring.reader < 0 || steps_[std::size_t(ring.reader)].part != step.part) continue;
        all.push_back(awaitingFull(ring, slotAt(ring, k)));
      }
      all.push_back(instance(step, k, running(k)));
    }
    const Stmt free = released(k, inFlight);
    all.push_back(inFlight > 0 ? guarded(free, ir::le(number(inFlight), k)) : free);
    return seq(std::move(all));
  }
  // What the iteration `before` ones before this has read is free.
  Stmt released(const Expr& iteration, int before) const {
    std::vector<Stmt> all;
    for (const Ring& ring : rings_)
      all.push_back(arriving(
          ring.free, slotAt(ring, simplified(iteration + number((ring.slots - before % ring.slots) % ring.slots)))));
    return seq(std::move(all));
  }
  // After the loop: what the iteration `fromEnd` ones before its end has read, where it has so many.
  Stmt releasedAtEnd(int fromEnd) const {
    const auto* constant = ir::asInt(loop_.extent);
    if (constant && constant->value < fromEnd) return nullptr;
    const Stmt s = released(loop_.extent, fromEnd);
    return constant ? s : guarded(s, ir::le(number(fromEnd), loop_.extent));
  }

  // In asynchronous stages, what other threads are to see is started only.
  void markCopies() {
    const std::function<Stmt(const Stmt&)> mark = [&](const Stmt& s) {
      if (s->kind == StmtKind::Store && isShared(*as<StoreNode>(s)->to.buffer))
        return edit<StoreNode>(s, [](StoreNode& n) { n.asynchronous = true; });
      return mapChildren(s, mark);
    };
    for (Timetable::Step& step : steps_) {
      Stmt& part = parts_[std::size_t(step.part)].stmt;
      const Stmt marked = step.async && part ? mark(part) : part;
      step.async = marked != part;
      part = marked;
    }
  }

  // What a statement needs that an asynchronous one has started: by step, the steps.
  std::vector<std::vector<int>> needs() const {
    std::vector<std::vector<int>> all(steps_.size());
    for (std::size_t reader = 0; reader < steps_.size(); ++reader) {
      for (std::size_t writer = 0; writer < steps_.size(); ++writer) {
        if (writer != reader && steps_[writer].async && !between(steps_[writer], steps_[reader]).empty())
          all[reader].push_back(int(writer));
      }
    }
    return all;
  }
  // The buffers in shared memory that the one statement writes and the other reads.
  std::vector<const ir::BufferNode*> between(const Timetable::Step& writer, const Timetable::Step& reader) const {
    std::vector<const ir::BufferNode*> found;
    for (const ir::BufferNode* b : partOf(writer).uses.written)
      if (isShared(*b) && partOf(reader).reads(b)) found.push_back(b);
    return found;
  }

  // --- statements ---

  Expr number(std::int64_t n) const { return intImm(n, loop_.var->dtype); }

  // The version of `count` that an iteration uses.
  static Expr versionAt(const Expr& iteration, int count) {
    const Expr n = intImm(count, iteration->dtype);
    if (const auto* constant = ir::asInt(iteration)) return intImm(constant->value % count, iteration->dtype);
    return ir::floormod(iteration, n);
  }

  // The statement of a step in an iteration; `turn` is the iteration's number among those that take turns with
  // versions.
  Stmt instance(const Timetable::Step& step, const Expr& iteration, const Expr& turn) const {
    Stmt s = copyOf(partOf(step).stmt);
    if (!s) return s;
    s = device::substitute(s, loop_.var, iteration);
    std::map<int, Buffers> byCount;
    for (const auto& [buffer, version] : versions_) byCount[version.count].insert(buffer);
    for (const auto& [count, buffers] : byCount) s = withVersion(s, buffers, versionAt(turn, count));
    return s;
  }

  Stmt wait(const Timetable::Wait& w, const Expr& time) const {
    auto s = std::make_shared<SyncNode>();
    s->token = Token::AsyncCopies;
    s->allow = w.allow;
    s->origin = loop_.origin;
    for (const auto& [writer, reader, later] : w.uses) {
      const Timetable::Step& step = steps_[std::size_t(reader)];
      const Expr iteration = simplified(time + number(later - step.stage));
      for (const ir::BufferNode* b : between(steps_[std::size_t(writer)], step)) {
        const auto version = versions_.find(b);
        Landed landed{bufferOf(b), {}, blocksOf(partOf(steps_[std::size_t(writer)]).stmt)};
        if (version != versions_.end()) landed.versions = {versionAt(iteration, version->second.count)};
        s->landed.push_back(std::move(landed));
      }
    }
    return s;
  }
  static std::vector<Id> blocksOf(const Stmt& s) {
    std::vector<Id> blocks;
    forEach(s, [&](const Stmt& inner) {
      if (inner->kind == StmtKind::Block && !as<BlockNode>(inner)->name.empty())
        blocks.push_back(as<BlockNode>(inner)->block);
      return true;
    });
    return blocks;
  }
  Buffer bufferOf(const ir::BufferNode* b) const {
    for (const Allocation& a : kernel_.allocations)
      if (a.buffer.get() == b) return a.buffer;
    return nullptr;
  }
  Stmt commit() const {
    auto s = std::make_shared<SyncNode>();
    s->does = SyncNode::Does::Commit;
    s->token = Token::AsyncCopies;
    s->origin = loop_.origin;
    return s;
  }

  // All that is done in one turn: `time` is its number, `condition` what must hold for a statement to be executed, by
  // its iteration; null for nothing.
  using Condition = std::function<Expr(const Expr& iteration)>;
  Stmt together(const Timetable::Turn& turn, const Expr& time, const Condition& condition = nullptr) const {
    std::vector<Stmt> stmts;
    for (const Timetable::Act& act : turn) {
      const Timetable::Step& step = steps_[std::size_t(act.step)];
      if (act.wait) stmts.push_back(wait(*act.wait, time));
      if (act.active) {
        const Expr iteration = simplified(time - number(step.stage));
        stmts.push_back(guarded(withRings(std::size_t(act.step), instance(step, iteration, iteration), iteration),
                                condition ? condition(iteration) : nullptr));
      }
      if (act.commit) stmts.push_back(commit());
    }
    return seq(std::move(stmts));
  }
  static Stmt guarded(const Stmt& s, const Expr& condition) {
    if (!s || !condition) return s;
    auto guard = std::make_shared<IfNode>();
    guard->condition = condition;
    guard->yes = s;
    return guard;
  }

  Stmt loopOver(const Expr& extent, LoopUse use, const std::function<Stmt(const Expr&)>& body) const {
    if (ir::isConst(extent, 1)) return body(number(0));
    auto loop = std::make_shared<LoopNode>();
    loop->origin = loop_.origin;
    loop->var = ir::makeVar(loop_.var->name, loop_.var->dtype);
    loop->extent = extent;
    loop->use = use;
    loop->pipelined = true;
    loop->body = body(loop->var);
    return loop->body ? loop : nullptr;
  }

  bool isCounted() const { return ir::asInt(loop_.extent) != nullptr; }

  // Turns of one form, which are neighbours, are one loop that the compiler unrolls.
  Stmt beginning(const Timetable& timetable) const {
    Condition exists;
    if (!isCounted()) exists = [this](const Expr& iteration) { return ir::lt(iteration, loop_.extent); };
    std::vector<Stmt> stmts;
    std::vector<Timetable::Turn> turns;
    for (int t = 0; t < last_; ++t) turns.push_back(timetable.first(t));
    for (std::size_t from = 0, to = 0; from < turns.size(); from = to) {
      while (to < turns.size() && turns[to] == turns[from]) ++to;
      stmts.push_back(loopOver(number(std::int64_t(to - from)), LoopUse::Unrolled, [&](const Expr& n) {
        return together(turns[from], simplified(n + number(std::int64_t(from))), exists);
      }));
    }
    return seq(std::move(stmts));
  }

  Stmt steady(const Timetable& timetable) const {
    const Expr extent = simplified(loop_.extent - number(last_));
    if (const auto* constant = ir::asInt(extent); constant && constant->value <= 0) return nullptr;
    const auto turn = [&](const Expr& n) { return together(timetable.steady(), simplified(n + number(last_))); };
    const int turns = turnsTogether();
    if (turns == 1) return loopOver(extent, loop_.use, turn);
    // So many turns as one iteration, of which the compiler knows the versions, and those that are left over.
    const Expr whole = simplified(ir::floordiv(extent, number(turns)));
    const auto from = [&](const Expr& first) {
      return [&turn, first](const Expr& n) { return turn(simplified(first + n)); };
    };
    std::vector<Stmt> stmts;
    if (!ir::isConst(whole, 0)) {
      stmts.push_back(loopOver(whole, loop_.use, [&](const Expr& n) {
        return loopOver(number(turns), LoopUse::Unrolled, from(n * number(turns)));
      }));
    }
    const Expr rest = simplified(ir::floormod(extent, number(turns)));
    const LoopUse use = ir::asInt(rest) ? LoopUse::Unrolled : LoopUse::Serial;
    if (!ir::isConst(rest, 0)) stmts.push_back(loopOver(rest, use, from(whole * number(turns))));
    return seq(std::move(stmts));
  }
  int turnsTogether() const {
    if (loop_.use == LoopUse::Unrolled) return 1;
    return loop_.overlap->unroll > 0 ? loop_.overlap->unroll : period(isPrivate);
  }

  // A loop of fewer iterations than stages has some of these turns among its first ones.
  Stmt ending(const Timetable& timetable) const {
    std::vector<Stmt> stmts;
    for (int n = 0; n < last_; ++n) {
      const Expr time = simplified(loop_.extent + number(n));
      Condition isLater;
      if (!isCounted()) isLater = [&](const Expr&) { return ir::le(number(last_), time); };
      stmts.push_back(together(timetable.last(n), time, isLater));
    }
    return seq(std::move(stmts));
  }

  Kernel& kernel_;
  const LoopNode& loop_;
  std::vector<Part> parts_;  // of the body, in its order
  std::vector<const LoopNode*> around_;
  std::vector<Timetable::Step> steps_;  // in their order within a turn
  std::vector<int> inFlight_;           // by statement: groups of products that it leaves on their way
  int last_ = 0;                        // the last stage
  std::vector<Ring> rings_;
  std::map<const ir::BufferNode*, Version> versions_;
};

class Overlapping {
 public:
  Overlapping(Kernel& kernel, RingSizes sizes) : kernel_(kernel), sizes_(std::move(sizes)) {}

  Result<std::vector<Remark>> run() {
    Stmt body = statement(kernel_.body);
    if (error_) return Failure(*error_);
    if (const auto known = inFlight(kernel_.body); !known) return Failure(known.error());
    std::vector<Remark> remarks = sizes_.withoutEffect(versioned_);
    kernel_.body = body;
    return remarks;
  }

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
        parts.push_back(statement(child));
      }
    }
    return parts;
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
    if (pipelined.hasRoles()) return {pipelined.runRoles()};
    return pipelined.run();
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
  Buffers versioned_;                    // that have several versions
  std::vector<const LoopNode*> around_;  // serial loops around, from the outermost on
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<Remark>> overlapLoops(Kernel& kernel) {
  auto sizes = RingSizes::of(kernel);
  if (!sizes) return Failure(sizes.error());
  auto remarks = Overlapping(kernel, std::move(*sizes)).run();
  if (!remarks) return remarks;
  if (auto split = splitRoles(kernel); !split) return Failure(split.error());
  awaitTransfers(kernel);
  return remarks;
}

}  // namespace loom::lower
