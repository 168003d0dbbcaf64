#include "app/panels/playback/view/role_lanes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/model/role_estimate.h"

namespace loom::session {

namespace {

using model::RoleSpan;
using Traced = RoleSpan::Does;
using State = SlotSpan::State;
using Bar = RoleLane::Bar;

constexpr int kWarpsOfGroup = 4;
constexpr double kMoment = 1e-6;  // clocks: what sums of doubles may differ by

// One filling of a slot; −1: hasn't happened.
struct SlotFilling {
  double asked = -1, landed = -1, awaited = -1, freed = -1;
};

class Lanes {
 public:
  Lanes(const device::Kernel& kernel, const model::RoleTrace& trace)
      : kernel_(kernel), trace_(trace), roles_(model::rolesOf(kernel)), uses_(model::mbarriersOf(kernel, roles_)) {}

  RoleLanes make() {
    out_.clocks = trace_.clocks;
    out_.megahertz = trace_.megahertz;
    out_.powerBound = trace_.powerBound;
    out_.blocks = trace_.blocks;
    out_.resident = trace_.resident;
    out_.cluster = int(kernel_.blocksOfCluster());
    pairBarriers();
    handBacks();
    for (const RoleSpan& s : trace_.spans) {
      if (s.block == 0 && s.does != Traced::PhaseEnd) groups_.insert(s.group);
      if (s.does == Traced::End) ends_[{s.block, s.group}] = s.to;
      if (isOfWarps(s)) ofGroup_[{s.block, s.group}].push_back(barOf(s));
    }
    for (auto& [key, bars] : ofGroup_) {
      std::ranges::stable_sort(bars, {}, &Bar::from);
      bars = withInstructions(bars, key);
    }
    follow();
    for (const int group : groups_) warps(group);
    copyEngine();
    tensorCores();
    rings();
    moments();
    return std::move(out_);
  }

 private:
  using Key = std::pair<int, int>;  // a block and a group, or a barrier and a slot

  bool fills(int barrier) const { return barrier >= 0 && !uses_[std::size_t(barrier)].filled.empty(); }
  int sizeOf(int barrier) const { return kernel_.mbarriers[std::size_t(barrier)].slots; }
  bool hasLoader(const std::vector<int>& roles) const {
    return std::ranges::any_of(roles, [&](int r) { return !roles_[std::size_t(r)].multiplies; });
  }

  // Warps that load wait for a slot to be free at a barrier of its own, made in the order of the rings; others wait
  // for their turn.
  void pairBarriers() {
    std::vector<int> free;
    for (const model::MbarrierUse& use : uses_)
      if (use.filled.empty() && hasLoader(use.waiting)) free.push_back(use.number);
    std::size_t next = 0;
    for (const model::MbarrierUse& use : uses_)
      if (!use.filled.empty() && next < free.size()) freeOf_[use.number] = free[next++];
  }
  // Who handed which slot back when: the box that fills it next can't be asked for before.
  void handBacks() {
    for (const RoleSpan& s : trace_.spans) {
      if (s.block != 0 || s.does != Traced::PhaseEnd || fills(s.barrier)) continue;
      for (const auto& [full, free] : freeOf_)
        if (free == s.barrier) handedBack_[{full, s.slot, s.phase + 1}] = {s.to, s.group};
    }
  }
  // The group for whose hand-back the box came late that is waited for from `s` on; −1: for nobody's.
  int keeperOf(const RoleSpan& s) const {
    const auto found = handedBack_.find({s.barrier, s.slot, s.phase});
    return found != handedBack_.end() && found->second.first > s.from ? found->second.second : -1;
  }
  bool isFree(int barrier) const {
    return std::ranges::any_of(freeOf_, [&](const auto& pair) { return pair.second == barrier; });
  }

  static bool isOfWarps(const RoleSpan& s) {
    switch (s.does) {
      case Traced::Begin:
      case Traced::Work:
      case Traced::Look:
      case Traced::Ask:
      case Traced::Write: return true;
      default: return s.waits() && s.to > s.from;
    }
  }
  RoleDoes doesOf(const RoleSpan& s) const {
    switch (s.does) {
      case Traced::Begin: return RoleDoes::kBegin;
      case Traced::Work: return RoleDoes::kWork;
      case Traced::Look: return RoleDoes::kLook;
      case Traced::Ask: return RoleDoes::kAsk;
      case Traced::Write: return RoleDoes::kWrite;
      case Traced::Transfer: return RoleDoes::kBox;
      case Traced::Store: return RoleDoes::kStore;
      case Traced::Product: return RoleDoes::kProduct;
      case Traced::AwaitProducts: return RoleDoes::kAwaitProducts;
      case Traced::AwaitStores: return RoleDoes::kAwaitStores;
      case Traced::AwaitBlock: return RoleDoes::kAwaitBlock;
      case Traced::AwaitWrites: return RoleDoes::kAwaitWrites;
      case Traced::AwaitPhase:
        if (fills(s.barrier)) return RoleDoes::kAwaitBox;
        return hasLoader(uses_[std::size_t(s.barrier)].waiting) ? RoleDoes::kAwaitSlot : RoleDoes::kAwaitTurn;
      case Traced::PhaseEnd:
      case Traced::End: break;
    }
    return RoleDoes::kInstructions;
  }
  static Bar barOf(RoleDoes does) {
    Bar bar;
    bar.does = does;
    return bar;
  }
  Bar barOf(const RoleSpan& s) const {
    Bar bar;
    bar.does = doesOf(s);
    bar.from = s.from;
    bar.to = std::min(s.to, trace_.clocks);
    bar.own = s.block == 0;
    bar.group = s.group;
    bar.by = bar.does == RoleDoes::kAwaitBox && bar.own ? keeperOf(s) : s.by;
    bar.slot = s.slot;
    if (s.does == Traced::Transfer) bar.asked = s.asked;
    if (s.barrier >= 0 && bar.does != RoleDoes::kAwaitTurn)
      bar.step = std::int64_t(s.phase) * sizeOf(s.barrier) + s.slot;
    if (s.statement != nullptr && !s.statement->origin.empty()) bar.block = s.statement->origin.front();
    return bar;
  }

  // What warps do between is instructions, up to their end.
  std::vector<Bar> withInstructions(const std::vector<Bar>& bars, Key key) const {
    const auto end = ends_.find(key);
    std::vector<Bar> all;
    double at = bars.front().from;
    const auto until = [&](double to) {
      if (to <= at + kMoment) return;
      Bar between;
      between.does = RoleDoes::kInstructions;
      between.from = at;
      between.to = to;
      between.own = key.first == 0;
      between.group = key.second;
      all.push_back(between);
    };
    for (const Bar& b : bars) {
      until(b.from);
      all.push_back(b);
      at = b.to;
    }
    until(end != ends_.end() ? std::min(end->second, trace_.clocks) : trace_.clocks);
    return all;
  }

  void warps(int group) {
    RoleLane lane;
    lane.group = group;
    // The first role with warps of the group that does something.
    for (const model::WarpRole& role : roles_) {
      std::vector<int> own;
      for (const int w : role.warps)
        if (w / kWarpsOfGroup == group) own.push_back(w);
      if (own.empty() || role.idle() || !lane.role.warps.empty()) continue;
      lane.role = role;
      lane.role.warps = std::move(own);
    }
    if (lane.role.warps.empty()) return;
    lane.bars = ofGroup_[{0, group}];
    for (const Bar& b : lane.bars)
      if (!isWait(b.does)) lane.busy += b.to - b.from;
    out_.lanes.push_back(std::move(lane));
  }

  // Boxes follow each other; stores read shared memory beside them, and one that would overlap the one before begins
  // where that ends.
  void copyEngine() {
    RoleLane lane;
    lane.of = RoleLane::Of::kCopyEngine;
    for (const RoleSpan& s : trace_.spans) {
      if (s.does != Traced::Transfer && s.does != Traced::Store) continue;
      Bar bar = barOf(s);
      bar.row = s.does == Traced::Store ? 1 : 0;
      lane.rows = std::max(lane.rows, bar.row + 1);
      if (bar.from < trace_.clocks) lane.bars.push_back(bar);
    }
    if (lane.bars.empty()) return;
    std::ranges::stable_sort(lane.bars, {}, &Bar::from);
    double end[2] = {0, 0};
    for (Bar& b : lane.bars) {
      b.from = std::min(b.to, std::max(b.from, end[b.row]));
      end[b.row] = b.to;
      if (b.row == 0) lane.busy += b.to - b.from;
    }
    out_.lanes.push_back(std::move(lane));
  }

  // Between products: what the warps do whose product comes next.
  void tensorCores() {
    RoleLane lane;
    lane.of = RoleLane::Of::kTensorCores;
    std::vector<int> multiply;
    for (const RoleLane& l : out_.lanes)
      if (l.of == RoleLane::Of::kWarps && l.role.multiplies) multiply.push_back(l.group);
    lane.rows = std::max(1, int(multiply.size()));
    double end = 0;
    for (const RoleSpan& s : trace_.spans) {
      if (s.does != Traced::Product || s.from >= trace_.clocks) continue;
      if (s.from > end + kMoment) idle(lane, end, s.from, {s.block, s.group});
      Bar bar = barOf(s);
      bar.row = int(std::max(std::ranges::find(multiply, s.group) - multiply.begin(), std::ptrdiff_t(0)));
      bar.row = std::min(bar.row, lane.rows - 1);
      end = bar.to;
      lane.busy += bar.to - bar.from;
      out_.tensorNeed += std::min(s.need, bar.to - bar.from);
      lane.bars.push_back(bar);
    }
    if (lane.bars.empty()) return;
    Key last{0, 0};
    for (const auto& [key, at] : ends_)
      if (key.first == 0 && (last.second == key.second || at > ends_[last])) last = key;
    if (trace_.clocks > end + kMoment) idle(lane, end, trace_.clocks, last);
    for (const Bar& b : lane.bars)
      if (b.idle)
        out_.exposed[std::size_t(b.does == RoleDoes::kAwaitWrites ? RoleDoes::kWrite : b.does)] += b.to - b.from;
    out_.tensorBusy = lane.busy;
    out_.lanes.push_back(std::move(lane));
  }
  void idle(RoleLane& lane, double from, double to, Key group) {
    const auto found = ofGroup_.find(group);
    double at = from;
    const auto add = [&](double until, Bar bar) {
      if (until <= at + kMoment) return;
      bar.from = at;
      bar.to = until;
      bar.idle = true;
      bar.group = group.second;
      bar.own = group.first == 0;
      lane.bars.push_back(bar);
      at = until;
    };
    if (found != ofGroup_.end()) {
      const std::vector<Bar>& bars = found->second;
      auto b = std::ranges::upper_bound(bars, from, {}, &Bar::to);
      // What comes between a wait and the product takes its time whenever it begins. As far as the warps waited while
      // tensor cores still multiplied, the product is late by that wait.
      const Bar* waited = nullptr;
      double late = 0;
      const auto after = [&](const Bar& bar) {
        if (isBetween(bar.does)) return;
        waited = bar.does == RoleDoes::kAwaitBox || bar.does == RoleDoes::kAwaitTurn ? &bar : nullptr;
        late = waited != nullptr ? std::max(0.0, std::min(bar.to, from) - bar.from) : 0;
      };
      auto before = b;
      while (before != bars.begin() && isBetween(std::prev(before)->does)) --before;
      if (before != bars.begin()) after(*std::prev(before));
      for (; b != bars.end() && b->from < to; ++b) {
        if (b->from > at) add(b->from, barOf(RoleDoes::kBegin));
        after(*b);
        if (waited != nullptr && isBetween(b->does) && late > 0) {
          Bar bar = *waited;
          bar.late = true;
          const double until = std::min({at + late, b->to, to});
          late -= until - at;
          add(until, bar);
        }
        add(std::min(b->to, to), *b);
      }
    }
    // After the last warp's end its writes are on their way; before a block's begin the one before it ended.
    add(to, barOf(group.first == 0 ? RoleDoes::kWrite : RoleDoes::kBegin));
  }

  // The lives of slots: a box is asked for, the phase ends, somebody goes on who waited for it, and the slot is handed
  // back; where nobody does, it is free when the last product has read it.
  void follow() {
    for (const RoleSpan& s : trace_.spans) {
      if (s.block != 0 || s.barrier < 0 || s.phase < 0) continue;
      if (fills(s.barrier)) {
        SlotFilling& f = fillings_[{s.barrier, s.slot}][s.phase];
        if (s.does == Traced::Transfer && (f.asked < 0 || s.asked < f.asked)) f.asked = s.asked;
        if (s.does == Traced::PhaseEnd) f.landed = s.to;
        if (s.does == Traced::AwaitPhase && (f.awaited < 0 || s.to < f.awaited)) f.awaited = s.to;
        if (s.does == Traced::Product && !freeOf_.contains(s.barrier)) f.freed = std::max(f.freed, s.to);
      } else if (s.does == Traced::PhaseEnd) {
        for (const auto& [full, free] : freeOf_)
          if (free == s.barrier) fillings_[{full, s.slot}][s.phase].freed = s.to;
      }
    }
  }

  void rings() {
    for (const model::MbarrierUse& use : uses_) {
      if (use.filled.empty()) continue;
      BufferRing ring;
      ring.byEngine = true;
      ring.slots = sizeOf(use.number);
      for (const ir::Buffer& b : use.filled) ring.buffers.push_back(b->name);
      ring.slotBytes = double(use.bytes);
      for (int slot = 0; slot < ring.slots; ++slot)
        for (const auto& [phase, f] : fillings_[{use.number, slot}]) spans(ring, slot, phase, f);
      if (!ring.spans.empty()) out_.rings.push_back(std::move(ring));
    }
  }
  void spans(BufferRing& ring, int slot, int phase, const SlotFilling& f) const {
    if (f.asked < 0) return;
    const double landed = f.landed < 0 ? trace_.clocks : f.landed;
    const double freed = f.freed < 0 ? trace_.clocks : f.freed;
    const double awaited = f.awaited < 0 ? freed : std::max(landed, f.awaited);
    const auto add = [&](State state, double from, double to) {
      to = std::min(to, trace_.clocks);
      if (to > from) ring.spans.push_back({state, slot, std::int64_t(phase) * ring.slots + slot, from, to});
    };
    add(State::kInFlight, f.asked, landed);
    add(State::kLanded, landed, awaited);
    add(State::kRead, awaited, freed);
  }

  void moments() {
    double first = -1, last = 0;
    for (const RoleSpan& s : trace_.spans) {
      if (s.does != Traced::Product || s.block != 0) continue;
      if (first < 0) first = s.from;
      last = s.to;
    }
    RoleLanes::Moments& m = out_.moments;
    m.drain = last;
    const std::vector<double> steps = out_.steps();
    if (steps.size() > 2) m.steady = steps[steps.size() / 2];
    for (const RoleLane& lane : out_.lanes) {
      if (lane.of != RoleLane::Of::kWarps || !lane.role.multiplies) continue;
      for (const Bar& b : lane.bars) {
        const bool writes = b.does == RoleDoes::kWork || b.does == RoleDoes::kWrite;
        if (!writes || b.from <= first || b.from >= last - kMoment) continue;
        // These warps have had products, and have more: sums are zeroed before their first, and written after the last.
        bool before = false, after = false;
        for (const Bar& other : lane.bars) {
          if (other.does != RoleDoes::kAwaitProducts) continue;
          before |= other.to <= b.from;
          after |= other.from >= b.to;
        }
        if (before && after && (m.between < 0 || b.from < m.between)) m.between = b.from;
      }
    }
  }

  const device::Kernel& kernel_;
  const model::RoleTrace& trace_;
  std::vector<model::WarpRole> roles_;
  std::vector<model::MbarrierUse> uses_;
  std::map<int, int> freeOf_;  // of a barrier that boxes complete, the one at which its slots are handed back
  // By barrier, slot and phase of the box that comes next: when its slot was handed back, and by which group.
  std::map<std::tuple<int, int, int>, std::pair<double, int>> handedBack_;
  std::set<int> groups_;
  std::map<Key, double> ends_;
  std::map<Key, std::vector<Bar>> ofGroup_;
  std::map<Key, std::map<int, SlotFilling>> fillings_;  // by barrier and slot, and by phase
  RoleLanes out_;
};

}  // namespace

bool isWait(RoleDoes does) { return does >= RoleDoes::kAwaitBox; }
bool isBetween(RoleDoes does) { return does == RoleDoes::kInstructions || does == RoleDoes::kLook; }

double RoleLane::clocksOf(RoleDoes does) const {
  double clocks = 0;
  for (const Bar& b : bars)
    if (b.does == does) clocks += b.to - b.from;
  return clocks;
}

std::vector<double> RoleLanes::boundaries() const {
  std::vector<double> all{0, clocks};
  for (const RoleLane& lane : lanes)
    for (const RoleLane::Bar& b : lane.bars)
      if (b.own && !isBetween(b.does)) all.push_back(b.from);
  std::ranges::sort(all);
  const auto again = std::ranges::unique(all);
  all.erase(again.begin(), again.end());
  return all;
}

std::vector<double> RoleLanes::steps() const {
  std::vector<double> all;
  if (rings.empty()) return all;
  for (const SlotSpan& s : rings.front().spans)
    if (s.state == SlotSpan::State::kRead) all.push_back(s.from);
  std::ranges::sort(all);
  return all;
}

double writesBeneathProducts(const RoleLanes& lanes, int group) {
  const RoleLane *warps = nullptr, *tensor = nullptr;
  for (const RoleLane& l : lanes.lanes) {
    if (l.of == RoleLane::Of::kWarps && l.group == group) warps = &l;
    if (l.of == RoleLane::Of::kTensorCores) tensor = &l;
  }
  double clocks = 0;
  if (warps == nullptr || tensor == nullptr) return clocks;
  auto product = tensor->bars.begin();
  for (const RoleLane::Bar& b : warps->bars) {
    if (b.does != RoleDoes::kWork && b.does != RoleDoes::kWrite && b.does != RoleDoes::kAwaitStores) continue;
    while (product != tensor->bars.end() && product->to <= b.from) ++product;
    for (auto p = product; p != tensor->bars.end() && p->from < b.to; ++p)
      if (!p->idle && p->own && p->group != group) clocks += std::min(p->to, b.to) - std::max(p->from, b.from);
  }
  return clocks;
}

RoleLanes roleLanesOf(const device::Kernel& kernel, const model::RoleTrace& trace) {
  return trace.spans.empty() ? RoleLanes{} : Lanes(kernel, trace).make();
}

const RoleLanes& roleLanesOf(const StateModel& model) {
  return model.views.get<RoleLanes>([&] {
    if (!model.isKernel() || !model.device || !model.kernel->occupancy) return RoleLanes{};
    const model::KernelModel& kernel = *model.kernel;
    const auto trace = model::roleTraceOf(kernel.accesses, kernel.count, *kernel.occupancy, *model.device);
    return trace ? roleLanesOf(*kernel.accesses.kernel, *trace) : RoleLanes{};
  });
}

}  // namespace loom::session
