#include "core/lower/pipelined_loop.h"

#include <algorithm>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/ir/equal.h"
#include "core/lower/annotations.h"
#include "core/lower/clusters.h"
#include "core/lower/known_values.h"
#include "core/lower/launch.h"
#include "core/lower/over_ring.h"
#include "core/lower/products.h"
#include "core/lower/roles.h"
#include "core/lower/transfers.h"
#include "core/lower/turns.h"

namespace loom::lower {

using namespace device;
using ir::intImm;

bool PipelinedLoop::hasRoles() const {
  return std::ranges::any_of(parts_, [](const Part& p) { return hasTransfers(p.stmt) && isLoader(p.stmt); });
}

Stmt PipelinedLoop::runRoles() {
  makeVersions();
  // As `groupProducts` waits: a ring of one slot has no other one to fill while products read it.
  int most = std::ranges::max(inFlight_);
  for (Ring& ring : rings_) {
    most = std::min(most, ring.slots - 1);
    for (int w : ring.writers)
      for (const Expr& block : otherWriters(kernel_, partOf(steps_[std::size_t(w)]).stmt))
        if (std::ranges::none_of(ring.others, [&](const Expr& known) { return ir::structuralEqual(known, block); }))
          ring.others.push_back(block);
    // A slot is free when all have read it to whom this block brings a part: those who bring parts to it.
    const std::int64_t readers = kernel_.block[1] * kernel_.block[2] * std::int64_t(ring.others.size() + 1);
    ring.free = addOpenMbarrier(kernel_, "empty", ring.slots, int(readers));
  }
  if (const std::int64_t asked = iterationsEarly(); asked > 0) {
    const std::int64_t slots = std::ranges::min(rings_, {}, &Ring::slots).slots;
    earlyTurns_ = std::min({asked, ir::constantOr(loop_.extent, 0), slots});
    early_ = KnownValues().simplified(
        loopOver(number(earlyTurns_), LoopUse::Serial, [&](const Expr& k) { return asking(k); }));
  }
  const Expr later = simplified(loop_.extent - number(earlyTurns_));
  std::vector<Stmt> all;
  if (!ir::isConst(later, 0))
    all.push_back(ofLoaders(
        loopOver(later, LoopUse::Serial, [&](const Expr& k) { return loading(simplified(k + number(earlyTurns_))); })));
  const Stmt products = loopOver(loop_.extent, LoopUse::Serial, [&](const Expr& k) { return working(k, most); });
  if (takesTurns() && !around_.empty()) {
    // A slot for each warpgroup: who waits at it has waited for all its phases before.
    const int own = turns();
    const int turn = addOpenMbarrier(kernel_, "turn", own, 1);
    const Expr tile = simplified(ir::floordiv(running(number(0)), loop_.extent));
    const auto slotOf = [&](const Expr& t) { return simplified(ir::floormod(t, number(own))); };
    const Expr phase = simplified(ir::floordiv(tile + number(own - 1), number(own)));
    all.insert(all.end(),
               {awaiting(turn, slotOf(tile), {}, phase), products, arriving(turn, slotOf(tile + number(1)))});
  } else {
    all.push_back(products);
  }
  if (most > 0) {
    all.push_back(makeSync(Token::Products));
    for (int n = most; n > 0; --n) all.push_back(releasedAtEnd(n));
  }
  if (overRing_) {
    const Ring& ring = rings_.front();
    const Expr last = loop_.extent - number(1);
    all.push_back(awaiting(ring.free, slotAt(ring, last), {}, phaseAt(ring, last + number(ring.slots))));
    for (Allocation& a : kernel_.allocations)
      if (std::ranges::count(overRing_->writes, a.buffer) > 0) a.awaits = ring.free;
  }
  return seq(std::move(all));
}

Result<void> PipelinedLoop::putOverRing(const BlockNode& block) {
  if (rings_.size() != 1)
    return notAKernel(message("\"{}\" of block {}: the tiles of loop {} lie in {} ring buffers, which become free at "
                              "different times",
                              kOverRing, block.name, loop_.var->name, rings_.size()),
                      {block.block});
  overRing_ = &block;
  std::vector<Buffer> tiles;
  for (const Landed& l : rings_.front().landed) tiles.push_back(l.buffer);
  return lower::putOverRing(kernel_, block, tiles);
}

Stmt PipelinedLoop::late() const {
  Stmt all;
  for (const Ring& ring : rings_)
    if (!ring.others.empty())
      all = seq({all, loopOver(number(ring.slots), LoopUse::Serial,
                               [&](const Expr& slot) { return awaiting(ring.free, slot, {}); })});
  return all;
}

int PipelinedLoop::iterationsEarly() const {
  int most = 0;
  for (const Part& p : parts_)
    if (p.stmt) most = std::max(most, askedEarly(p.stmt).value_or(0));
  return most;
}

void PipelinedLoop::findTransfers() {
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    const Part& part = partOf(steps_[s]);
    if (!hasTransfers(part.stmt)) continue;
    int slots = 1;
    for (const ir::BufferNode* b : part.uses.written)
      if (const auto v = versions_.find(b); v != versions_.end()) slots = v->second.count;
    auto ring =
        std::ranges::find_if(rings_, [&](const Ring& r) { return r.stage == steps_[s].stage && r.slots == slots; });
    if (ring == rings_.end()) {
      rings_.push_back({-1, steps_[s].stage, slots, -1, 0, {}, -1, {}, {}});
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
      if (reads && (ring.reader < 0 || steps_[s].stage < steps_[std::size_t(ring.reader)].stage)) ring.reader = int(s);
    }
  }
}

Stmt PipelinedLoop::awaitingFull(const Ring& ring, const Expr& slot, const Expr& phase) {
  std::vector<Landed> landed = ring.landed;
  if (ring.slots > 1)
    for (Landed& l : landed) l.versions = {slot};
  return awaiting(ring.barrier, slot, std::move(landed), phase);
}

Stmt PipelinedLoop::withRings(std::size_t step, Stmt s, const Expr& iteration) const {
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

Expr PipelinedLoop::running(const Expr& iteration) const {
  const Expr outer = runningNumber(around_, loop_.var->dtype);
  return outer ? simplified(outer * loop_.extent + iteration) : iteration;
}

Expr PipelinedLoop::slotAt(const Ring& ring, const Expr& iteration) const {
  return ring.slots > 1 ? versionAt(running(iteration), ring.slots) : number(0);
}

Expr PipelinedLoop::phaseAt(const Ring& ring, const Expr& iteration) const {
  return simplified(ir::floordiv(running(iteration), number(ring.slots)));
}

int PipelinedLoop::turns() const {
  int most = 1;
  for (const Part& p : parts_)
    if (p.stmt) most = std::max(most, turnsOf(p.stmt).value_or(1));
  return most;
}

Stmt PipelinedLoop::loading(const Expr& k) const {
  std::vector<Stmt> all;
  for (const Ring& ring : rings_) {
    // Nobody has waited for the phases of early copies.
    all.push_back(awaiting(ring.free, slotAt(ring, k), {}, early_ ? phaseAt(ring, k) : nullptr));
    all.push_back(asking(ring, k));
  }
  return seq(std::move(all));
}

Stmt PipelinedLoop::asking(const Ring& ring, const Expr& k) const {
  const Expr slot = slotAt(ring, k);
  std::vector<Stmt> all{expecting(kernel_, ring.barrier, slot, ring.bytes)};
  for (int w : ring.writers) all.push_back(toldTo(instance(steps_[std::size_t(w)], k, running(k)), ring.barrier, slot));
  return seq(std::move(all));
}

Stmt PipelinedLoop::asking(const Expr& k) const {
  std::vector<Stmt> all;
  for (const Ring& ring : rings_) all.push_back(asking(ring, k));
  return seq(std::move(all));
}

Stmt PipelinedLoop::working(const Expr& k, int inFlight) const {
  std::vector<Timetable::Step> steps = steps_;
  std::ranges::sort(steps, {}, &Timetable::Step::part);
  std::vector<Stmt> all;
  for (const Timetable::Step& step : steps) {
    if (hasTransfers(partOf(step).stmt)) continue;
    for (const Ring& ring : rings_) {
      if (ring.reader < 0 || steps_[std::size_t(ring.reader)].part != step.part) continue;
      all.push_back(awaitingFull(ring, slotAt(ring, k), takesTurns() ? phaseAt(ring, k) : nullptr));
    }
    all.push_back(instance(step, k, running(k)));
  }
  const Stmt free = released(k, inFlight);
  all.push_back(inFlight > 0 ? guarded(free, ir::le(number(inFlight), k)) : free);
  return seq(std::move(all));
}

Stmt PipelinedLoop::released(const Expr& iteration, int before) const {
  std::vector<Stmt> all;
  for (const Ring& ring : rings_) {
    const Expr slot = slotAt(ring, simplified(iteration + number((ring.slots - before % ring.slots) % ring.slots)));
    all.push_back(arriving(ring.free, slot));
    for (const Expr& block : ring.others) all.push_back(arriving(ring.free, slot, block));
  }
  return seq(std::move(all));
}

Stmt PipelinedLoop::releasedAtEnd(int fromEnd) const {
  const auto* constant = ir::asInt(loop_.extent);
  if (constant && constant->value < fromEnd) return nullptr;
  const Stmt s = released(loop_.extent, fromEnd);
  return constant ? s : guarded(s, ir::le(number(fromEnd), loop_.extent));
}

}  // namespace loom::lower
