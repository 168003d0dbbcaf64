// Statements about tokens: what they make known to whom, and waits.
#include <bit>

#include "core/exec/warp.h"

namespace loom::exec {

using device::SyncDoes;
using device::Token;

void Warp::sync(const Instruction& i) {
  if (mask_ == 0) return;
  const SyncCode& code = code_.syncs[std::size_t(i.imm)];
  switch (code.does) {
    case SyncDoes::Initialise: return initialise(code);
    case SyncDoes::Expect:
    case SyncDoes::Arrive: return arrive(code);
    case SyncDoes::Fence: return fence(code);
    case SyncDoes::Commit: return commit(code);
    case SyncDoes::FewerRegisters:
    case SyncDoes::MoreRegisters: return;  // nothing that a program can see
    case SyncDoes::Wait: break;
  }
  if (code.token == Token::WarpBarrier) return meetLanes(code);
  standSite_ = code.site;
  const bool over = code.token == Token::Transfers  ? awaitPhase(code)
                    : code.token == Token::Products ? awaitProducts(code)
                                                    : awaitOwn(code);
  if (over) {
    passed_ = true;
    return;
  }
  stand_ = Stand::Wait;
  running_ = false;
  --at_;  // to this instruction again
}

// The lanes of a warp go in step here; from now on each knows what the others have done.
void Warp::meetLanes(const SyncCode& code) {
  if (mask_ != all_) report(Finding::Kind::PartialWarp, code.site, std::countr_zero(mask_), 0, false, true);
  if (block_.clocks.active()) block_.clocks.meetLanes(index_, block_.clock.epoch++);
}

int Warp::slotNumber(int barrier, std::uint16_t slot, int lane, std::int64_t block) const {
  const int slots = code_.mbarriers[std::size_t(barrier)].slots;
  const std::int64_t wanted = slot == kNone ? 0 : vectors_[slot].i[lane];
  return block_.slots.number(barrier, std::clamp<std::int64_t>(wanted, 0, slots - 1),
                             int(std::clamp<std::int64_t>(block, 0, code_.blocksOfCluster() - 1)));
}

int Warp::slotOf(const SyncCode& code, int lane) const {
  return slotNumber(code.barrier, code.slot, lane, code.target == kNone ? block() : vectors_[code.target].i[lane]);
}

Finding Warp::findingOfSlot(Finding::Kind kind, int number, std::int64_t site, int lane) const {
  Finding f = finding(kind, site, lane);
  const auto [barrier, n] = block_.slots.placeOf(number);
  f.buffer = code_.mbarriers[std::size_t(barrier)].buffer->name;
  f.element = n;
  return f;
}

// --- mbarriers ---

void Warp::initialise(const SyncCode& code) {
  const device::Mbarrier& barrier = code_.mbarriers[std::size_t(code.barrier)];
  for (int n = 0; n < barrier.slots; ++n) {
    MbarrierSlot& slot = block_.slots.at(block_.slots.number(code.barrier, n, block()));
    slot.ready = true;
    slot.maker = std::uint16_t(firstThread() + std::countr_zero(mask_));
    slot.made = block_.clock.epoch;
  }
}

bool Warp::checkReady(int slot, std::int64_t site, int lane) {
  const MbarrierSlot& s = block_.slots.at(slot);
  if (s.announced || (s.ready && isBefore(s.maker, s.made, std::uint16_t(firstThread() + lane)))) return true;
  if (block_.log.isNew(Finding::Kind::Unready, block_.kernel, site))
    block_.log.add(findingOfSlot(Finding::Kind::Unready, slot, site, lane));
  return s.ready;
}

bool Warp::allArriveTogether(const SyncCode& code) const {
  if (mask_ != all_) return false;
  for (int lane = 1; lane < lanes_; ++lane)
    if (slotOf(code, lane) != slotOf(code, 0)) return false;
  return true;
}

void Warp::arrive(const SyncCode& code) {
  const std::uint32_t epoch = block_.clock.epoch++;
  const bool together = allArriveTogether(code);
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!(mask_ >> lane & 1)) continue;
    const int number = slotOf(code, lane);
    if (!checkReady(number, code.site, lane)) continue;
    MbarrierSlot& slot = block_.slots.at(number);
    // Where all have arrived whom the phase counts, it is the next one that is meant.
    const std::uint32_t before = slot.completed + (slot.missing <= 0 ? 1 : 0);
    if (code.target != kNone) noteReach(number, before + 1, code.site, lane);
    if (!block_.clocks.knows(index_, block_.clocks.phases(number), before))
      reportPhase(Finding::Phase::Early, number, code.site, lane, std::int64_t(before) + 1);
    slot.bytes += code.bytes;
    --slot.missing;
    // A lane tells of itself; what others of its warp have done is told where they arrive as well.
    if (together) {
      block_.clocks.publish(index_, epoch, slot.arriving);
    } else {
      block_.clocks.publishAlone(index_, std::uint16_t(firstThread() + lane), epoch, slot.arriving);
    }
    complete(number, code.site, lane);
  }
}

void Warp::noteReach(int number, std::uint32_t phase, std::int64_t site, int lane) {
  if (block_.slots.blockOf(number) == block()) return;
  block_.slots.at(number).reached = phase;
  const auto known = block_.reachedSlots.find(number);
  if (known != block_.reachedSlots.end() && known->second.site == site) return;
  block_.reachedSlots.insert_or_assign(number, findingOfSlot(Finding::Kind::MaybeEnded, number, site, lane));
}

void Warp::reportPhase(Finding::Phase phase, int number, std::int64_t site, int lane, std::int64_t wanted) {
  if (!block_.log.isNew(Finding::Kind::WrongPhase, block_.kernel, site)) return;
  Finding f = findingOfSlot(Finding::Kind::WrongPhase, number, site, lane);
  f.phase = phase;
  f.wanted = wanted;
  f.reached = std::int64_t(block_.slots.at(number).completed);
  block_.log.add(std::move(f));
}

// Ends the phase at work if nothing is missing. Whoever has waited for the one before must be known to have gone on: by
// its parity a wait takes the phase after the next for its own.
void Warp::complete(int number, std::int64_t site, int lane) {
  MbarrierSlot& slot = block_.slots.at(number);
  const auto waited = slot.waited;
  const VectorClock arriving = slot.arriving, asking = slot.asking;
  if (!slot.complete()) return;
  for (const auto& [warp, epoch] : waited) {
    const auto know = [&](const VectorClock& clock) {
      return !clock.empty() && clock[block_.clocks.progress(warp)] >= epoch;
    };
    if (epoch < block_.clock.since || know(arriving) || know(asking)) continue;
    reportPhase(Finding::Phase::Overtaking, number, site, lane, std::int64_t(slot.completed));
  }
}

// Completed phases that a wait of the lane wants.
std::uint32_t Warp::wantedOf(const SyncCode& code, const MbarrierSlot& slot, int lane) const {
  const auto thread = std::uint16_t(firstThread() + lane);
  const std::uint32_t waits =
      code.phase == kNone ? slot.waits[thread] : std::uint32_t(std::max<std::int64_t>(0, vectors_[code.phase].i[lane]));
  return waits + (slot.open ? 0 : 1);
}

bool Warp::awaitPhase(const SyncCode& code) {
  bool over = true;
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!(mask_ >> lane & 1)) continue;
    const int number = slotOf(code, lane);
    if (!checkReady(number, code.site, lane)) return true;
    MbarrierSlot& slot = block_.slots.at(number);
    const std::uint32_t wanted = wantedOf(code, slot, lane);
    if (slot.completed >= wanted) continue;
    // By its parity a wait takes the phase before the one at work for its own.
    if (slot.completed + 1 < wanted) reportPhase(Finding::Phase::Ahead, number, code.site, lane, wanted);
    // Copies that land as late as they may.
    while (slot.completed < wanted && slot.missing == 0 && !slot.inFlight.empty()) {
      const ThreadOperation o = slot.inFlight.front();
      slot.inFlight.erase(slot.inFlight.begin());
      block_.warps[o.thread / kLanes].land(o);
    }
    if (slot.completed >= wanted) {
      for (const ThreadOperation& o : slot.inFlight) block_.warps[o.thread / kLanes].reportUnannounced(o);
      continue;
    }
    over = false;
    const auto [barrier, n] = block_.slots.placeOf(number);
    waiter_ = {Finding::Waiter::What::Phase,
               thread(lane),
               code_.mbarriers[std::size_t(barrier)].buffer->name,
               n,
               std::int64_t(wanted),
               std::int64_t(slot.completed),
               slot.missing,
               slot.bytes};
    break;
  }
  if (!over) return false;
  std::vector<int> numbers;
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!(mask_ >> lane & 1)) continue;
    const int number = slotOf(code, lane);
    MbarrierSlot& slot = block_.slots.at(number);
    const auto thread = std::uint16_t(firstThread() + lane);
    const std::uint32_t wanted = wantedOf(code, slot, lane);
    // A phase further on has the parity of those that aren't complete: the wait would go on.
    if (slot.completed > wanted && wanted > 0) reportPhase(Finding::Phase::Passed, number, code.site, lane, wanted);
    slot.waits[thread] = wanted + (slot.open ? 1 : 0);
    if (std::ranges::find(numbers, number) != numbers.end()) continue;
    numbers.push_back(number);
    if (slot.completed == 0) continue;
    block_.clocks.learn(index_, slot.known);
    block_.clocks.learn(index_, block_.clocks.phases(number), slot.completed);
    slot.waited.emplace_back(index_, block_.clock.epoch);
  }
  return true;
}

// --- groups ---

void Warp::fence(const SyncCode& code) {
  if (code.token == Token::Products) {
    for (FragmentArea& area : fragments_)
      if (area.unfenced) std::fill_n(area.unfenced.data(), area.fragments, 0);
    return;
  }
  for (int lane = 0; lane < lanes_; ++lane)
    if (mask_ >> lane & 1) block_.clocks.fence(std::uint16_t(firstThread() + lane), block_.clock.epoch);
  ++block_.clock.epoch;
}

void Warp::commit(const SyncCode& code) {
  if (code.token == Token::Products) {
    commits_.push_back(block_.clock.epoch++);
    return block_.pending.commit(firstThread(), code.token);
  }
  for (int lane = 0; lane < lanes_; ++lane)
    if (mask_ >> lane & 1) block_.pending.commit(std::uint16_t(firstThread() + lane), code.token);
}

bool Warp::awaitOwn(const SyncCode& code) {
  if (block_.pending.empty()) return true;
  for (int lane = 0; lane < lanes_; ++lane) {
    if (!(mask_ >> lane & 1)) continue;
    const auto thread = std::uint16_t(firstThread() + lane);
    for (const ThreadOperation& o : block_.pending.take(thread, code.token, code.allow)) {
      if (block_.landing == Landing::Late) {
        perform(o);
      } else {
        written(o);
      }
    }
    if (device::rowOf(code.token).ofSources)
      block_.clocks.awaitStores(
          thread, std::uint32_t(std::max<std::int64_t>(0, block_.pending.commits(thread, code.token) - code.allow)));
  }
  return true;
}

// The groups of a warpgroup are those that all its warps have started: what one of them waits for is over for all.
bool Warp::awaitProducts(const SyncCode& code) {
  const std::int64_t wanted = block_.pending.commits(firstThread(), code.token) - code.allow;
  const int first = index_ / kWarpsOfGroup * kWarpsOfGroup,
            end = std::min(first + kWarpsOfGroup, code_.warps() * code_.blocksOfCluster());
  for (int w = first; w < end; ++w) {
    const std::int64_t started = block_.pending.commits(std::uint16_t(w * kLanes), code.token);
    if (started >= wanted) continue;
    waiter_ = {Finding::Waiter::What::Products, thread(0), "", 0, wanted, started, 0, 0};
    return false;
  }
  for (int w = first; w < end; ++w) {
    const auto first = std::uint16_t(w * kLanes);
    const std::int64_t later = block_.pending.commits(first, code.token) - wanted;
    for (const ThreadOperation& o : block_.pending.take(first, code.token, int(later)))
      if (block_.landing == Landing::Late) block_.warps[w].perform(o);
  }
  if (wanted <= 0) return true;
  block_.clocks.learn(index_, block_.clocks.products(index_), std::uint32_t(wanted));
  for (int w = first; w < end; ++w)
    block_.clocks.learn(index_, block_.clocks.progress(w), block_.warps[w].commits_[std::size_t(wanted) - 1]);
  return true;
}

}  // namespace loom::exec
