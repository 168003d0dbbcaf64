#include "core/lower/pipelined_loop.h"

#include <algorithm>
#include <numeric>

#include "core/arith/analyzer.h"
#include "core/device/build.h"
#include "core/device/effects.h"
#include "core/ir/build.h"
#include "core/lower/early_loads.h"
#include "core/lower/known_values.h"
#include "core/lower/launch.h"
#include "core/lower/products.h"
#include "core/lower/resident_blocks.h"
#include "core/lower/transfers.h"

namespace loom::lower {

using namespace device;
using ir::intImm;

bool PipelinedLoop::isShared(const ir::BufferNode& b) {
  return device::isShared(memoryOf(b.scope).value_or(Memory::Local));
}

bool PipelinedLoop::isPrivate(const ir::BufferNode& b) { return !isVisible(memoryOf(b.scope).value_or(Memory::Local)); }

Expr PipelinedLoop::simplified(const Expr& e) { return arith::Analyzer().simplify(e); }

PipelinedLoop::PipelinedLoop(Kernel& kernel, const LoopNode& loop, std::vector<Part> parts,
                             const std::vector<Buffer>& owned, const RingSizes& sizes,
                             std::vector<const LoopNode*> around)
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

Buffers PipelinedLoop::versioned() const {
  Buffers all;
  for (const auto& [buffer, version] : versions_) all.insert(buffer);
  return all;
}

int PipelinedLoop::period(bool (*which)(const ir::BufferNode&)) const {
  int turns = 1;
  for (const auto& [buffer, version] : versions_)
    if (which(*buffer)) turns = std::lcm(turns, version.count);
  return turns;
}

int PipelinedLoop::leastVersions(const Buffer& b) const {
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

std::vector<Stmt> PipelinedLoop::run() {
  const auto* constant = ir::asInt(loop_.extent);
  const Timetable timetable(steps_, needs(), constant ? std::optional(constant->value) : std::nullopt);
  std::vector<Stmt> made{beginning(timetable), steady(timetable), ending(timetable)};
  makeVersions();
  KnownValues values;
  for (Stmt& piece : made) piece = values.simplified(piece);
  return made;
}

void PipelinedLoop::makeVersions() {
  for (const auto& [buffer, version] : versions_)
    for (Allocation& a : kernel_.allocations)
      if (a.buffer.get() == buffer) multiply(a, version.count, kernel_.body);
}

int PipelinedLoop::versionsOf(const Buffer& b, const RingSizes& sizes) const {
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

bool PipelinedLoop::overtakes(const Buffer& b) const {
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

bool PipelinedLoop::isTransferred(const ir::BufferNode* b) const {
  return std::ranges::any_of(parts_, [&](const Part& p) { return p.writes(b) && hasTransfers(p.stmt); });
}

bool PipelinedLoop::isReadInFlight(const ir::BufferNode* b) const {
  if (!isShared(*b)) return false;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (inFlight_[p] > 0 && parts_[p].reads(b)) return true;
  return false;
}

Stmt PipelinedLoop::started(const Stmt& s) {
  if (!s) return s;
  if (s->kind == StmtKind::Store && isShared(*as<StoreNode>(s)->to.buffer))
    return edit<StoreNode>(s, [](StoreNode& n) { n.asynchronous = true; });
  return mapChildren(s, started);
}

void PipelinedLoop::markCopies() {
  std::vector<Stmt> marked;  // by step
  for (Timetable::Step& step : steps_) {
    const Stmt& part = partOf(step).stmt;
    marked.push_back(step.async ? started(part) : part);
    step.async = marked.back() != part;
  }
  const Timetable timetable(steps_, needs(), std::nullopt);
  std::vector<std::size_t> uncovered;
  for (std::size_t s = 0; s < steps_.size(); ++s)
    if (steps_[s].async && !timetable.isCovered(int(s))) uncovered.push_back(s);
  const std::optional<Held> held = heldOf(uncovered);
  const bool few = !held || held->bytes <= kMostHeldBytes, alone = !held || expectedBlocks(kernel_) == 1;
  if (!uncovered.empty() && few && (alone || !multiplies())) throughRegisters(uncovered, held);
  for (std::size_t s = 0; s < steps_.size(); ++s)
    if (steps_[s].async) parts_[std::size_t(steps_[s].part)].stmt = marked[s];
}

// A copy that is waited for before anything else runs gains nothing by passing the registers, and loses: the loads of
// one through registers may begin before the barrier that frees the slot. H200, fp32, 1024 × 512 × 2048, one slot of
// two tiles: 95.1 → 88.9 µs (64 × 64 a block), 207.8 → 192.3 (128 × 128). With products of tensor cores that is so
// where a block is alone on its multiprocessor, 1.05 times as fast in the mean of 21 kernels; where other blocks
// multiply while one waits, passing shared memory twice costs more: 0.90 times as fast in the mean of 45, 0.65 to 1.30
// (H200, f16 and s8, 1024 and 2048).
//
// More than a thread may hold stays asynchronous, with products of CUDA cores, too: the compiler loads and stores it in
// several rounds. One kernel of 64 threads that copy 96 bytes each a turn (f16, 64 × 32 and 32 × 64 a block), at 1536 ×
// 1536 × 1024, 512 × 1024 × 2048 and 768 × 1024 × 2304: 1.096, 1.087 and 1.046 times as fast asynchronous (H200,
// 2026-11-30, driver 580.159.04).
void PipelinedLoop::throughRegisters(const std::vector<std::size_t>& uncovered, const std::optional<Held>& held) {
  for (const std::size_t s : uncovered) {
    steps_[s].async = false;
    for (const ir::BufferNode* b : partOf(steps_[s]).uses.written)
      if (isShared(*b))
        device::addRemark(remarks_,
                          {message("the copy to {} isn't started ahead: it would be waited for before anything "
                                   "else runs, and the loads of a copy through registers may begin earlier",
                                   b->name),
                           blocksOf(partOf(steps_[s]).stmt)});
  }
  // The compiler may move loads ahead of products of tensor cores by itself, and does or doesn't: of TVM's text of the
  // same schedule, which has the same statements, it does. H200, f16, 1024 × 1024 × 1024, 64 × 64 a block: 21.4 µs
  // without, 20.0 of TVM's text. Of products of CUDA cores it makes the same code either way.
  if (!held || !multiplies() || uncovered.front() == 0) return;
  const BufferUses uses = usesOf(kernel_.body);
  for (const std::size_t s : uncovered)
    for (const ir::BufferNode* b : partOf(steps_[s]).uses.read)
      if (std::ranges::count(uses.written, b) > 0) return;
  for (const auto& [step, own] : held->arrays)
    for (const Buffer& array : own) kernel_.allocations.push_back(allocationOf(array));
  loadedEarly_ = held->arrays;
}

bool PipelinedLoop::multiplies() const {
  bool found = false;
  for (const Part& p : parts_) {
    if (!p.stmt) continue;
    forEach(p.stmt, [&](const Stmt& s) {
      const OperationRow* row = effectsOf(s).row;
      return found |= row && row->multiplies(), !found;
    });
  }
  return found;
}

std::optional<PipelinedLoop::Held> PipelinedLoop::heldOf(const std::vector<std::size_t>& copies) const {
  Held held;
  std::size_t made = kernel_.allocations.size();
  for (const std::size_t s : copies) {
    const Stmt& copy = partOf(steps_[s]).stmt;
    const auto divided = copy ? dividedCopy(copy, {}, made) : std::nullopt;
    if (!divided) return std::nullopt;
    held.bytes += divided->bytes;
    made += divided->arrays.size();
    held.arrays[int(s)] = divided->arrays;
  }
  return held;
}

std::vector<std::vector<int>> PipelinedLoop::needs() const {
  std::vector<std::vector<int>> all(steps_.size());
  for (std::size_t reader = 0; reader < steps_.size(); ++reader) {
    for (std::size_t writer = 0; writer < steps_.size(); ++writer) {
      if (writer != reader && steps_[writer].async && !between(steps_[writer], steps_[reader]).empty())
        all[reader].push_back(int(writer));
    }
  }
  return all;
}

std::vector<const ir::BufferNode*> PipelinedLoop::between(const Timetable::Step& writer,
                                                          const Timetable::Step& reader) const {
  std::vector<const ir::BufferNode*> found;
  for (const ir::BufferNode* b : partOf(writer).uses.written)
    if (isShared(*b) && partOf(reader).reads(b)) found.push_back(b);
  return found;
}

Expr PipelinedLoop::versionAt(const Expr& iteration, int count) {
  const Expr n = intImm(count, iteration->dtype);
  if (const auto* constant = ir::asInt(iteration)) return intImm(constant->value % count, iteration->dtype);
  return ir::floormod(iteration, n);
}

Stmt PipelinedLoop::instance(const Timetable::Step& step, const Expr& iteration, const Expr& turn) const {
  Stmt s = copyOf(partOf(step).stmt);
  if (!s) return s;
  s = device::substitute(s, loop_.var, iteration);
  std::map<int, Buffers> byCount;
  for (const auto& [buffer, version] : versions_) byCount[version.count].insert(buffer);
  for (const auto& [count, buffers] : byCount) s = withVersion(s, buffers, versionAt(turn, count));
  return s;
}

Stmt PipelinedLoop::wait(const Timetable::Wait& w, const Expr& time) const {
  auto s = makeSync(Token::AsyncCopies, SyncDoes::Wait, w.allow);
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

std::vector<Id> PipelinedLoop::blocksOf(const Stmt& s) {
  std::vector<Id> blocks;
  forEach(s, [&](const Stmt& inner) {
    if (inner->kind == StmtKind::Block && !as<BlockNode>(inner)->name.empty())
      blocks.push_back(as<BlockNode>(inner)->block);
    return true;
  });
  return blocks;
}

Buffer PipelinedLoop::bufferOf(const ir::BufferNode* b) const {
  for (const Allocation& a : kernel_.allocations)
    if (a.buffer.get() == b) return a.buffer;
  return nullptr;
}

Stmt PipelinedLoop::commit() const {
  auto s = makeSync(Token::AsyncCopies, SyncDoes::Commit);
  s->origin = loop_.origin;
  return s;
}

Stmt PipelinedLoop::together(const Timetable::Turn& turn, const Expr& time, const Condition& condition) const {
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

Stmt PipelinedLoop::withEarlyLoads(const Timetable::Turn& turn, const Expr& time) const {
  if (loadedEarly_.empty()) return together(turn, time);
  std::vector<Stmt> stmts, loads;
  for (const Timetable::Act& act : turn) {
    const Stmt whole = together({act}, time);
    const auto arrays = loadedEarly_.find(act.step);
    const bool comesEarly = whole && arrays != loadedEarly_.end();
    const auto divided = comesEarly ? dividedCopy(whole, arrays->second, 0) : std::nullopt;
    if (divided) loads.push_back(divided->loads);
    stmts.push_back(divided ? divided->stores : whole);
  }
  loads.insert(loads.end(), stmts.begin(), stmts.end());
  return seq(std::move(loads));
}

Stmt PipelinedLoop::guarded(const Stmt& s, const Expr& condition) {
  if (!s || !condition) return s;
  auto guard = std::make_shared<IfNode>();
  guard->condition = condition;
  guard->yes = s;
  return guard;
}

Stmt PipelinedLoop::loopOver(const Expr& extent, LoopUse use, const std::function<Stmt(const Expr&)>& body) const {
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

Stmt PipelinedLoop::beginning(const Timetable& timetable) const {
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

Stmt PipelinedLoop::steady(const Timetable& timetable) const {
  const Expr extent = simplified(loop_.extent - number(last_));
  if (const auto* constant = ir::asInt(extent); constant && constant->value <= 0) return nullptr;
  const auto turn = [&](const Expr& n) { return withEarlyLoads(timetable.steady(), simplified(n + number(last_))); };
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

int PipelinedLoop::turnsTogether() const {
  if (loop_.use == LoopUse::Unrolled) return 1;
  return loop_.overlap->unroll > 0 ? loop_.overlap->unroll : period(isPrivate);
}

Stmt PipelinedLoop::ending(const Timetable& timetable) const {
  std::vector<Stmt> stmts;
  for (int n = 0; n < last_; ++n) {
    const Expr time = simplified(loop_.extent + number(n));
    Condition isLater;
    if (!isCounted()) isLater = [&](const Expr&) { return ir::le(number(last_), time); };
    stmts.push_back(together(timetable.last(n), time, isLater));
  }
  return seq(std::move(stmts));
}

}  // namespace loom::lower
