#include "core/model/role_run.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <queue>
#include <utility>

#include "core/model/role_recorder.h"

namespace loom::model {
namespace {

class RolePlay {
  using Does = RoleStep::Does;
  using Traced = RoleSpan::Does;

 public:
  RolePlay(const device::Kernel& kernel, const std::vector<RoleStep>& steps, const RoleMachine& machine,
           const RoleConstants& constants, RoleTrace* trace)
      : kernel_(kernel), steps_(steps), m_(machine), c_(constants), recorder_(kernel, trace) {}

  std::optional<RoleRun> run() {
    const int wanted = m_.blocks;
    // Later blocks are like those before them: what they take follows from the ones that were played.
    const int played = std::min(wanted, std::max(6, 3 * m_.resident));
    blocks_.reserve(std::size_t(played));
    to_ = played;
    for (int i = 0; i < std::min(played, m_.resident); ++i) begin(0);
    while (!events_.empty() && !failed_) {
      const RoleEvent e = events_.top();
      events_.pop();
      if (++count_ > 4'000'000) return std::nullopt;
      switch (e.kind) {
        case RoleEvent::Kind::Step: step(*e.group, e.time); break;
        case RoleEvent::Kind::Land: land(e); break;
        case RoleEvent::Kind::Tensor: tensor(e.time); break;
        case RoleEvent::Kind::Begin: begin(e.time); break;
      }
    }
    if (failed_ || ends_.size() != std::size_t(played)) return std::nullopt;
    std::sort(ends_.begin(), ends_.end());
    run_.clocks = ends_.back();
    if (played < wanted) {
      const std::size_t half = std::size_t(std::max(1, m_.resident));
      const double pace = (ends_[ends_.size() - 1] - ends_[ends_.size() - 1 - half]) / double(half);
      const double scale = double(wanted) / played;
      run_.clocks += pace * (wanted - played);
      for (double* d : {&run_.use.copy, &run_.use.tensor, &run_.use.shared, &run_.use.l2, &run_.use.forBarriers,
                        &run_.use.forProducts})
        *d *= scale;
    }
    return run_;
  }

 private:
  void at(RoleEvent e) {
    e.order = ++order_;
    events_.push(e);
  }
  void at(double time, RoleEvent::Kind kind, WarpGroup* group = nullptr) {
    RoleEvent e;
    e.time = time;
    e.kind = kind;
    e.group = group;
    at(e);
  }
  void begin(double time) {
    if (from_ >= to_) return;
    const int number = from_++;
    RunningBlock& b = *blocks_.emplace_back(std::make_unique<RunningBlock>());
    b.number = number;
    const auto threads = kernel_.threads();
    const int groups = int((threads + 127) / 128);
    b.alive = groups;
    for (const device::Mbarrier& barrier : kernel_.mbarriers) {
      b.slots.emplace_back(std::size_t(barrier.slots));
      for (SlotPhases& s : b.slots.back()) s.phases = barrier.open ? 1 : 0;
    }
    const std::int64_t block = std::int64_t(number) * m_.multiprocessors % kernel_.blocks();
    b.groups.resize(std::size_t(groups));
    for (int g = 0; g < groups; ++g) {
      WarpGroup& group = b.groups[std::size_t(g)];
      group.block = &b;
      group.number = g;
      group.now = time + (number < m_.resident ? c_.firstBox : c_.blockStart);
      group.values.setBlock(kernel_, block);
      std::int64_t thread = std::int64_t(g) * 128;
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = std::size_t(axis);
        group.values.set(kernel_.threadIdx[i].get(), thread % kernel_.block[i]);
        thread /= kernel_.block[i];
      }
      for (const auto& slots : b.slots) group.waited.emplace_back(slots.size(), 0);
      recorder_.note(RoleSpan::Does::Begin, group, time, group.now);
      at(group.now, RoleEvent::Kind::Step, &group);
    }
  }

  std::optional<int> slotOf(const WarpGroup& g, const RoleStep& s) {
    const auto value = s.value ? g.values.evaluate(s.value) : std::nullopt;
    if (!value || s.barrier < 0 || *value < 0 || *value >= std::int64_t(g.block->slots[std::size_t(s.barrier)].size()))
      return std::nullopt;
    return int(*value);
  }
  void complete(RunningBlock& b, int barrier, int slot, double time, int by) {
    SlotPhases& s = b.slots[std::size_t(barrier)][std::size_t(slot)];
    if (s.arrived < kernel_.mbarriers[std::size_t(barrier)].arrivals || s.landed < s.announced) return;
    RoleSpan end = recorder_.spanOf(Traced::PhaseEnd, b.groups[std::size_t(std::max(0, by))], time, time);
    end.by = by;
    recorder_.note(recorder_.ofPhase(end, barrier, slot, s.phases));
    ++s.phases;
    s.by = by;
    s.arrived = 0;
    s.announced = s.landed = 0;
    wake(b, time);
  }
  void wake(RunningBlock& b, double time) {
    for (WarpGroup& g : b.groups)
      if (g.waiting) {
        g.waiting = false;
        at(time, RoleEvent::Kind::Step, &g);
      }
  }

  // Takes steps until another agent may act first.
  void step(WarpGroup& g, double time) {
    g.now = std::max(g.now, time);
    while (!g.done) {
      if (!events_.empty() && events_.top().time < g.now) return at(g.now, RoleEvent::Kind::Step, &g);
      if (g.step >= int(steps_.size())) return finish(g);
      const RoleStep& s = steps_[std::size_t(g.step)];
      if (!take(g, s)) return;
      if (failed_) return;
    }
  }
  // False where the group waits.
  bool take(WarpGroup& g, const RoleStep& s) {
    RunningBlock& b = *g.block;
    switch (s.does) {
      case Does::Work:
        recorder_.note(Traced::Work, g, g.now, g.now + s.clocks, &s);
        g.now += s.clocks;
        break;
      case Does::Fetch: {
        // Threads add up what they have loaded before they load more.
        const double begun = g.now;
        network_ = std::max(network_, begun) + s.bytes / c_.network.bytes(kernel_.blocksOfCluster());
        g.now = std::max(network_ + c_.network.latency * s.others, begun + s.clocks);
        recorder_.note(Traced::Work, g, begun, g.now, &s);
        break;
      }
      case Does::Branch: {
        const auto holds = g.values.evaluate(s.value);
        if (!holds) return fail();
        g.step = *holds ? g.step + 1 : s.target;
        return true;
      }
      case Does::Jump: g.step = s.target; return true;
      case Does::Begin:
      case Does::Again: {
        const auto extent = g.values.evaluate(s.value);
        if (!extent) return fail();
        const std::int64_t next = s.does == Does::Begin ? 0 : *g.values.value(s.var) + 1;
        g.values.set(s.var, next);
        const bool inside = next < *extent;
        g.step = s.does == Does::Begin ? (inside ? g.step + 1 : s.target) : (inside ? s.target : g.step + 1);
        return true;
      }
      case Does::Load: {
        const auto slot = slotOf(g, s);
        if (!slot) return fail();
        load(g, s, *slot);
        break;
      }
      case Does::Store: {
        recorder_.note(Traced::Ask, g, g.now, g.now + c_.boxIssue, &s);
        g.now += c_.boxIssue;
        shared_ = std::max(shared_, g.now) + s.bytes / c_.sharedBytes;
        run_.use.shared += s.bytes / c_.sharedBytes;
        g.storesRead = std::max(g.now + m_.boxLatency / 2, shared_);
        recorder_.note(Traced::Store, g, g.now, g.storesRead, &s);
        write(b, g.now, s.bytes);
        writer_ = &g;
        break;
      }
      case Does::Multiply:
        g.now += c_.productIssue;
        g.products.push_back({&s, g.reads.barrier, g.reads.slot, g.reads.phase});
        ++g.open;
        if (!tensorBusy_) {
          tensorBusy_ = true;
          at(std::max(g.now, tensor_), RoleEvent::Kind::Tensor);
        }
        if (g.products.size() == 1) queue_.push_back(&g);
        break;
      case Does::Write: {
        // As fast as the pipe of memory instructions and L2 take them; the last ones are on their way.
        const double begun = g.now, pipeFree = std::max(lsu_, begun), l2Free = std::max(l2_, begun);
        lsu_ = pipeFree + s.clocks;
        const double gone = write(b, begun, s.bytes) - kWritesPending * s.bytes / m_.writeBytes;
        g.now = std::max(lsu_, gone);
        const WarpGroup* before = std::exchange(writer_, &g);
        const double from = before == &g ? begun : lsu_ >= gone ? pipeFree : l2Free;
        RoleSpan behind = recorder_.spanOf(Traced::AwaitWrites, g, begun, std::min(from, g.now), &s);
        behind.by = before != nullptr && before->block == &b ? before->number : -1;
        if (behind.to > behind.from) recorder_.note(behind);
        recorder_.note(Traced::Write, g, behind.to, g.now, &s);
        break;
      }
      case Does::CommitProducts:
        g.committed.push_back(-1);
        g.sizes.push_back(g.open);
        g.open = 0;
        settle(g);
        break;
      case Does::CommitStores: g.committedStores.push_back(g.storesRead); break;
      case Does::WaitProducts: {
        while (!g.committed.empty() && g.committed.front() >= 0 && g.committed.front() <= g.now)
          g.committed.pop_front();
        const double begun = g.since < 0 ? g.now : g.since;
        if (int(g.committed.size()) > s.allow) {
          const double ends = g.committed[g.committed.size() - std::size_t(s.allow) - 1];
          if (ends < 0) {
            g.since = begun;
            return wait(g);
          }
          g.now = std::max(g.now, ends);
        }
        g.since = -1;
        run_.use.forProducts += g.now - begun;
        recorder_.note(Traced::AwaitProducts, g, begun, g.now, &s);
        break;
      }
      case Does::WaitStores: {
        while (!g.committedStores.empty() && g.committedStores.front() <= g.now) g.committedStores.pop_front();
        const int pending = int(g.committedStores.size());
        const double ends = pending > s.allow ? g.committedStores[std::size_t(pending - s.allow - 1)] : g.now;
        recorder_.note(Traced::AwaitStores, g, g.now, ends, &s);
        g.now = ends;
        break;
      }
      case Does::WaitBarrier: {
        const auto slot = slotOf(g, s);
        if (!slot) return fail();
        int& waited = g.waited[std::size_t(s.barrier)][std::size_t(*slot)];
        // Who takes turns, or asks early, hasn't waited for every phase: its wait says which one is meant.
        const auto wanted = s.phase ? g.values.evaluate(s.phase) : std::optional<std::int64_t>(waited);
        if (!wanted) return fail();
        const SlotPhases& phases = b.slots[std::size_t(s.barrier)][std::size_t(*slot)];
        if (phases.phases <= *wanted) {
          if (g.since < 0) g.since = g.now;
          return wait(g);
        }
        RoleSpan awaited =
            recorder_.ofPhase(recorder_.spanOf(Traced::AwaitPhase, g, g.since >= 0 ? g.since : g.now, g.now, &s),
                              s.barrier, *slot, *wanted);
        awaited.by = phases.by;
        recorder_.note(awaited);
        g.reads = {nullptr, awaited.barrier, awaited.slot, awaited.phase};
        if (g.since >= 0) run_.use.forBarriers += g.now - g.since;
        g.since = -1;
        waited = int(*wanted) + 1;
        recorder_.note(Traced::Look, g, g.now, g.now + c_.barrierWait, &s);
        g.now += c_.barrierWait;
        break;
      }
      case Does::Expect:
      case Does::Arrive: {
        const auto slot = slotOf(g, s);
        if (!slot) return fail();
        g.now += c_.arrival;
        SlotPhases& to = b.slots[std::size_t(s.barrier)][std::size_t(*slot)];
        ++to.arrived;
        to.announced += s.bytes;
        complete(b, s.barrier, *slot, g.now, g.number);
        break;
      }
      case Does::MeetBlock: {
        b.latest = std::max(b.latest, g.now);
        if (++b.met < b.alive) {  // only the last one to come wakes it
          meeting_.push_back(&g);
          ++g.step;
          return false;
        }
        b.met = 0;
        g.now = b.latest + c_.meeting;
        for (WarpGroup& other : b.groups) {
          const auto found = std::find(meeting_.begin(), meeting_.end(), &other);
          if (found == meeting_.end()) continue;
          meeting_.erase(found);
          RoleSpan met = recorder_.spanOf(Traced::AwaitBlock, other, other.now, g.now, &s);
          met.by = g.number;
          recorder_.note(met);
          other.now = g.now;
          at(g.now, RoleEvent::Kind::Step, &other);
        }
        break;
      }
    }
    ++g.step;
    return true;
  }
  bool fail() {
    failed_ = true;
    return false;
  }
  bool wait(WarpGroup& g) {
    g.waiting = true;
    return false;
  }

  void load(WarpGroup& g, const RoleStep& s, int slot) {
    recorder_.note(Traced::Ask, g, g.now, g.now + c_.boxIssue, &s);
    g.now += c_.boxIssue;
    RoleSpan box =
        recorder_.ofPhase(recorder_.spanOf(Traced::Transfer, g, std::max(copy_, g.now + m_.boxLatency), 0, &s),
                          s.barrier, slot, g.block->slots[std::size_t(s.barrier)][std::size_t(slot)].phases);
    box.asked = g.now;
    const double lineClocks = c_.asWholeLines(s.lines, s.arriving, s.onSectors) * m_.lineClocks;
    const double byteClocks = std::max(1 / m_.boxBytes, s.bytes > 0 ? lineClocks / s.bytes : 0);
    for (double left = s.bytes; left > 0; left -= c_.chunk) {
      const double bytes = std::min(left, c_.chunk), begin = std::max(copy_, g.now + m_.boxLatency);
      const double clocks = bytes * byteClocks;
      copy_ = begin + clocks;
      run_.use.copy += clocks;
      RoleEvent e;
      e.time = copy_;
      e.kind = RoleEvent::Kind::Land;
      e.block = g.block;
      e.barrier = s.barrier;
      e.slot = slot;
      e.bytes = bytes;
      at(e);
    }
    box.to = copy_;
    recorder_.note(box);
  }
  void land(const RoleEvent& e) {
    const double need = c_.fillShare * e.bytes / c_.sharedBytes;
    if (e.bytes > 0) {
      shared_ = std::max(shared_, e.time - need) + need;
      run_.use.shared += need;
      if (shared_ > e.time) {  // when shared memory has taken it
        RoleEvent later = e;
        later.time = shared_;
        later.bytes = -e.bytes;
        return at(later);
      }
    }
    SlotPhases& s = e.block->slots[std::size_t(e.barrier)][std::size_t(e.slot)];
    s.landed += std::abs(e.bytes);
    complete(*e.block, e.barrier, e.slot, e.time, -1);
  }
  // Tensor cores are free: the next product, of the group whose turn it is.
  void tensor(double time) {
    if (queue_.empty()) {
      tensorBusy_ = false;
      return;
    }
    WarpGroup& g = *queue_.front();
    queue_.pop_front();
    const WarpGroup::Product product = g.products.front();
    const RoleStep& s = *product.step;
    g.products.pop_front();
    if (!g.products.empty()) queue_.push_back(&g);  // groups take turns
    if (run_.firstProduct == 0) run_.firstProduct = time;
    const double read = s.bytes / c_.sharedBytes;
    shared_ = std::max(shared_, time) + read;
    run_.use.shared += read;
    run_.use.tensor += s.clocks;
    const double end = std::max(time + s.clocks, shared_);
    tensor_ = end;
    RoleSpan span = recorder_.spanOf(Traced::Product, g, time, end, &s);
    span.barrier = product.barrier, span.slot = product.slot, span.phase = product.phase;
    span.need = s.clocks;
    recorder_.note(span);
    run_.lastProduct = end;
    g.lastEnd = end;
    ++g.begun;
    settle(g);
    if (g.waiting) {
      g.waiting = false;
      at(std::max(g.now, time), RoleEvent::Kind::Step, &g);
    }
    at(end, RoleEvent::Kind::Tensor);
  }
  // Of the committed groups of products, those whose last one has begun: when they end.
  void settle(WarpGroup& g) {
    while (!g.sizes.empty() && g.sizes.front() <= g.begun) {
      g.begun -= g.sizes.front();
      g.committed[g.committed.size() - g.sizes.size()] = g.lastEnd + c_.productLatency;
      g.sizes.pop_front();
    }
  }
  double write(RunningBlock& b, double time, double bytes) {
    l2_ = std::max(l2_, time) + bytes / m_.writeBytes;
    run_.use.l2 += bytes / m_.writeBytes;
    b.stored = std::max(b.stored, l2_ + c_.storeLatency);
    return l2_;
  }
  void finish(WarpGroup& g) {
    g.done = true;
    recorder_.note(recorder_.spanOf(Traced::End, g, g.now, g.now));
    RunningBlock& b = *g.block;
    b.latest = std::max(b.latest, g.now);
    if (--b.alive > 0) return;
    const double end = std::max(b.latest, b.stored);
    if (b.number == 0) recorder_.finish(end, m_.blocks, m_.resident);
    ends_.push_back(end);
    at(end, RoleEvent::Kind::Begin);
  }

  static constexpr double kWritesPending = 0.1;  // of a tile, the writes that a group needn't wait for
  const device::Kernel& kernel_;
  const std::vector<RoleStep>& steps_;
  const RoleMachine m_;
  const RoleConstants c_;
  RoleRecorder recorder_;
  std::priority_queue<RoleEvent> events_;
  std::vector<std::unique_ptr<RunningBlock>> blocks_;
  std::deque<WarpGroup*> queue_;  // whose products wait for tensor cores
  std::vector<WarpGroup*> meeting_;
  const WarpGroup* writer_ = nullptr;  // that wrote to global memory last
  std::vector<double> ends_;
  double copy_ = 0, shared_ = 0, tensor_ = 0, l2_ = 0, lsu_ = 0, network_ = 0;  // when each is free
  bool tensorBusy_ = false, failed_ = false;
  int from_ = 0, to_ = 0;
  std::int64_t order_ = 0, count_ = 0;
  RoleRun run_;
};

}  // namespace

std::optional<RoleRun> runRoles(const device::Kernel& kernel, const std::vector<RoleStep>& steps,
                                const RoleMachine& machine, const RoleConstants& constants, RoleTrace* trace) {
  return RolePlay(kernel, steps, machine, constants, trace).run();
}

}  // namespace loom::model
