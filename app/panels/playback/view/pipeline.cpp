#include "app/panels/playback/view/pipeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "app/panels/playback/view/playback.h"
#include "core/device/lane_values.h"

namespace loom::session {

namespace {

using device::SyncNode;
using model::Access;
using model::TimelineAction;
using model::TimelineItem;
using model::Track;
using State = SlotSpan::State;

constexpr int kMostStatements = 1 << 16;  // that are followed: some tens of milliseconds

struct Interval {
  double from = 0, to = 0;
};

// One filling of a slot and what is read of it.
struct Filling {
  int slot = 0;
  std::int64_t step = 0;
  double from = 0, landed = 0;
  std::set<int> by;  // actions
  std::vector<Interval> reads;
};

// A buffer with versions, or one that is filled by asynchronous copies.
struct Buffer {
  const device::Allocation* allocation = nullptr;
  std::int64_t elementsEach = 1;
  int slots = 1;
  bool asynchronous = false;
  std::vector<int> around;  // the loops around all its accesses
  std::string loop;         // the pipelined one inside of them
  std::vector<std::int64_t> passes;
  std::int64_t next = 0;  // step of the next filling
  std::vector<Filling> fillings;
  std::map<int, std::size_t> current;               // by slot: the last of `fillings`
  std::set<std::tuple<bool, double, int>> pattern;  // what is done to which slot in which phase: reads, beginning, slot
  std::set<int> filled;
};

class Follower {
 public:
  Follower(const Playback& playback, const model::KernelAccesses& kernel) : p_(playback), k_(kernel) {
    const model::Timeline& t = p_.timeline();
    warp_.place(*k_.kernel, 0, 0);
    for (std::size_t i = 0; i < k_.loops.size(); ++i) loopOf_[k_.loops[i].statement] = int(i);
    before_.resize(t.items.size());
    for (int i = 0; i < int(t.items.size()); ++i) {
      const TimelineItem& item = p_.item(i);
      if (item.loop >= 0) itemOf_[k_.loops[std::size_t(item.loop)].statement] = i;
      if (item.kind != TimelineItem::Kind::Action) continue;
      const TimelineAction& a = t.actions[std::size_t(item.index)];
      for (int x : a.accesses) actionAt_[k_.accesses[std::size_t(x)].statement] = i;
      for (int w : a.work) actionAt_[k_.work[std::size_t(w)].statement] = i;
    }
    double at = 0;
    place(0, int(t.items.size()), at);
    placeBarriers();
    findBuffers();
  }

  PipelineView follow() {
    if (buffers_.empty()) return {};
    run(k_.kernel->body);
    if (statements_ > kMostStatements) return {};
    land(p_.clocks());
    return result();
  }

 private:
  // By item, the clocks of what comes before it in the item around it.
  void place(int from, int to, double& at) {
    for (int i = from; i < to; i = p_.item(i).end) {
      const TimelineItem& item = p_.item(i);
      before_[std::size_t(i)] = at;
      double inside = 0;
      if (item.kind == TimelineItem::Kind::Loop) place(i + 1, item.end, inside);
      if (item.kind == TimelineItem::Kind::Loop || item.kind == TimelineItem::Kind::Phase)
        at += item.clocks * double(item.extent);
    }
  }
  void placeBarriers() {
    std::vector<int> items;
    for (int i = 0; i < int(p_.timeline().items.size()); ++i) {
      const TimelineItem& item = p_.item(i);
      if (item.kind == TimelineItem::Kind::Action &&
          p_.timeline().actions[std::size_t(item.index)].kind == TimelineAction::Kind::Barrier)
        items.push_back(i);
    }
    for (std::size_t i = 0; i < items.size() && i < k_.barriers.size(); ++i)
      actionAt_[k_.barriers[i].statement] = items[i];
  }

  void findBuffers() {
    for (const device::Allocation& a : k_.kernel->allocations) {
      Buffer b;
      b.allocation = &a;
      std::int64_t versions = 1;
      for (std::int64_t v : a.versions) versions *= v;
      b.slots = int(std::clamp<std::int64_t>(versions, 1, a.elements));
      b.elementsEach = std::max<std::int64_t>(1, a.elements / b.slots);
      bool first = true;
      for (const Access& x : k_.accesses) {
        if (x.buffer != a.buffer) continue;
        b.asynchronous |= x.write && x.completes.has_value();
        if (first) b.around = x.loops;
        first = false;
        b.around.erase(std::ranges::mismatch(b.around, x.loops).in1, b.around.end());
      }
      for (const Access& x : k_.accesses) {
        if (x.buffer != a.buffer || x.loops.size() <= b.around.size() || !b.loop.empty()) continue;
        const model::LoopInfo& loop = k_.loops[std::size_t(x.loops[b.around.size()])];
        if (static_cast<const device::LoopNode*>(loop.statement)->pipelined) b.loop = loop.var->name;
      }
      if (b.slots > 1 || b.asynchronous) buffers_[a.buffer.get()] = std::move(b);
    }
  }

  // --- one warp's way through the kernel ---

  void run(const device::Stmt& s) {
    if (!s || ++statements_ > kMostStatements) return;
    switch (s->kind) {
      case device::StmtKind::Seq:
        for (const device::Stmt& inner : device::as<device::SeqNode>(s)->stmts) run(inner);
        return;
      case device::StmtKind::Block: return run(device::as<device::BlockNode>(s)->body);
      case device::StmtKind::If: {
        const auto* branch = device::as<device::IfNode>(s);
        const auto holds = warp_.evaluate(branch->condition);
        if (!holds || (*holds)[0] != 0) run(branch->yes);
        if (holds && (*holds)[0] == 0) run(branch->no);
        return;
      }
      case device::StmtKind::Loop: return runLoop(s);
      case device::StmtKind::Store:
      case device::StmtKind::Operation: return act(s.get());
      case device::StmtKind::Sync: break;
    }
    const auto* sync = device::as<SyncNode>(s);
    if (sync->token != device::Token::AsyncCopies) return act(s.get());
    if (sync->does == SyncNode::Does::Commit) {
      groups_.push_back(std::move(started_));
      started_ = {};
    } else {
      for (std::size_t i = 0; i + std::size_t(sync->allow) < groups_.size(); ++i)
        if (groups_[i].pending) groups_[i].awaited = true;
    }
  }

  // A loop of which no iteration uses other slots than the one before is followed once.
  void runLoop(const device::Stmt& s) {
    const auto* loop = device::as<device::LoopNode>(s);
    const auto at = loopOf_.find(s.get());
    const std::int64_t extent = at == loopOf_.end() ? 1 : k_.loops[std::size_t(at->second)].extent;
    const auto item = itemOf_.find(s.get());
    const bool passes = item != itemOf_.end() && p_.item(item->second).kind == TimelineItem::Kind::Loop;
    const std::int64_t times = passes || changesSlots(s, *loop, extent) ? extent : 1;
    for (std::int64_t i = 0; i < times && statements_ <= kMostStatements; ++i) {
      warp_.set(loop->var.get(), i);
      if (at != loopOf_.end()) values_[at->second] = i;
      if (item != itemOf_.end()) now_[item->second] = {i, times};
      run(loop->body);
    }
    warp_.set(loop->var.get(), 0);
    if (at != loopOf_.end()) values_.erase(at->second);
    if (item != itemOf_.end()) now_.erase(item->second);
  }
  bool changesSlots(const device::Stmt& s, const device::LoopNode& loop, std::int64_t extent) {
    const auto at = loopOf_.find(s.get());
    if (extent <= 1 || at == loopOf_.end()) return false;
    std::map<const ir::VarNode*, std::int64_t> inner;
    for (const model::LoopInfo& l : k_.loops) inner[l.var.get()] = 0;
    bool changes = false;
    for (const Access& x : k_.accesses) {
      const auto b = buffers_.find(x.buffer.get());
      if (b == buffers_.end() || b->second.slots <= 1 || changes || !std::ranges::count(x.loops, at->second)) continue;
      // Loops further inside haven't a value yet.
      for (int l : x.loops)
        if (!values_.count(l)) warp_.set(k_.loops[std::size_t(l)].var.get(), 0);
      const int first = slotOf(b->second, x);
      warp_.set(loop.var.get(), 1);
      changes |= slotOf(b->second, x) != first;
      warp_.set(loop.var.get(), 0);
    }
    return changes;
  }

  int slotOf(const Buffer& b, const Access& x) const {
    const auto index = warp_.evaluate(x.index);
    return index ? int(std::clamp<std::int64_t>((*index)[0] / b.elementsEach, 0, b.slots - 1)) : 0;
  }

  int phaseOf(int item) const {
    while (item >= 0 && p_.item(item).kind != TimelineItem::Kind::Phase) item = p_.item(item).parent;
    return item;
  }
  double beginningOf(int phase) const {
    double at = 0;
    for (int i = phase; i >= 0; i = p_.item(i).parent) {
      at += before_[std::size_t(i)];
      const auto pass = now_.find(i);
      if (pass != now_.end() && i != phase) at += double(pass->second.first) * p_.item(i).clocks;
    }
    return at;
  }

  // When the statement's bars are in a phase that begins at `begin`, preferably those of one track.
  std::optional<Interval> barsOf(int item, int phase, double begin, std::optional<Track> track) const {
    std::optional<Interval> found;
    for (const PlaybackBar& b : p_.bars(phase)) {
      if (b.action != p_.item(item).index || b.wait || b.before ||
          (track ? b.track != *track : b.track == Track::Issue))
        continue;
      double from = b.from, to = b.to;
      bool other = false;
      for (int i = p_.item(item).parent; i > phase; i = p_.item(i).parent) {
        const auto pass = now_.find(i);
        if (pass == now_.end() || pass->second.second <= 1) continue;
        const auto drawn = std::ranges::find(b.values, i, &std::pair<int, std::int64_t>::first);
        if (drawn != b.values.end()) {
          other |= drawn->second != pass->second.first;
          continue;
        }
        const double each = (to - from) / double(pass->second.second);
        from += each * double(pass->second.first);
        to = from + each;
      }
      if (other) continue;
      if (!found) found = Interval{begin + from, begin + to};
      found->from = std::min(found->from, begin + from);
      found->to = std::max(found->to, begin + to);
    }
    return found;
  }

  void act(const device::StmtNode* s) {
    const auto at = actionAt_.find(s);
    if (at == actionAt_.end()) return;
    const int item = at->second, phase = phaseOf(item);
    if (phase < 0) return;
    const double begin = beginningOf(phase), end = begin + p_.item(phase).clocks;
    const TimelineAction& a = p_.timeline().actions[std::size_t(p_.item(item).index)];
    if (a.kind == TimelineAction::Kind::Barrier) return land(item == phase + 1 ? begin : end);
    auto when = barsOf(item, phase, begin, std::nullopt);
    if (!when) when = barsOf(item, phase, begin, Track::Issue);
    if (!when) when = Interval{std::clamp(last_, begin, end), std::clamp(last_, begin, end)};
    land(when->from);
    last_ = when->to;
    for (int n : a.accesses) {
      const Access& x = k_.accesses[std::size_t(n)];
      const auto b = buffers_.find(x.buffer.get());
      if (b == buffers_.end()) continue;
      const int slot = slotOf(b->second, x);
      b->second.pattern.emplace(!x.write, begin, slot);
      if (x.write) {
        fill(b->second, x, slot, p_.item(item).index, *when);
      } else if (const auto full = b->second.current.find(slot); full != b->second.current.end()) {
        const auto load = model::isShared(x.memory) ? barsOf(item, phase, begin, Track::Shared) : std::nullopt;
        b->second.fillings[full->second].reads.push_back(load.value_or(*when));
      }
    }
  }

  void fill(Buffer& b, const Access& x, int slot, int action, Interval when) {
    std::vector<std::int64_t> passes;
    for (int l : b.around) passes.push_back(values_.count(l) ? values_.at(l) : 0);
    if (passes != b.passes) b.next = 0;
    b.passes = std::move(passes);
    b.filled.insert(slot);
    const auto full = b.current.find(slot);
    const bool isNew = full == b.current.end() || !b.fillings[full->second].reads.empty() ||
                       b.fillings[full->second].by.count(action) > 0;
    if (isNew) {
      b.current[slot] = b.fillings.size();
      b.fillings.push_back({slot, b.next++, when.from, when.to, {}, {}});
    }
    Filling& f = b.fillings[b.current[slot]];
    f.by.insert(action);
    f.from = std::min(f.from, when.from);
    f.landed = std::max(f.landed, when.to);
    if (!x.completes) return;
    const std::string& name = b.allocation->buffer->name;
    if (started_.parts.empty()) {
      started_.shown.from = when.from;
      started_.shown.step = f.step;
      started_.shown.loop = b.loop;
    }
    started_.shown.from = std::min(started_.shown.from, when.from);
    if (!std::ranges::count(started_.shown.buffers, name)) started_.shown.buffers.push_back(name);
    if (x.block && !std::ranges::count(started_.shown.blocks, x.block)) started_.shown.blocks.push_back(x.block);
    started_.parts.emplace_back(&b, b.current[slot]);
  }

  // The groups that a wait has been passed for have landed.
  void land(double now) {
    for (Group& g : groups_) {
      if (!g.pending || (!g.awaited && now < p_.clocks())) continue;
      g.pending = false;
      g.shown.to = std::max(now, g.shown.from);
      for (const auto& [buffer, filling] : g.parts)
        buffer->fillings[filling].landed = std::max(buffer->fillings[filling].landed, g.shown.to);
    }
  }

  // --- what is shown ---

  PipelineView result() const {
    PipelineView view;
    std::vector<const Buffer*> taken;
    for (const device::Allocation& a : k_.kernel->allocations) {
      const auto found = buffers_.find(a.buffer.get());
      if (found == buffers_.end()) continue;
      const Buffer& b = found->second;
      // Versions of virtual threads are all filled in each iteration: no ring.
      if (b.fillings.empty() || (!b.asynchronous && b.filled.size() < 2)) continue;
      const auto alike = std::ranges::find_if(taken, [&](const Buffer* t) {
        return t->slots == b.slots && t->pattern == b.pattern && levelOf(*t) == levelOf(b);
      });
      const double bytes = double(b.elementsEach * a.buffer->dtype.bytes());
      if (alike != taken.end()) {
        BufferRing& ring = view.rings[std::size_t(alike - taken.begin())];
        ring.buffers.push_back(a.buffer->name);
        ring.slotBytes += bytes;
        continue;
      }
      taken.push_back(&b);
      view.rings.push_back({{a.buffer->name}, levelOf(b), b.slots, bytes, b.loop, {}});
    }
    for (std::size_t i = 0; i < taken.size(); ++i) addSpans(view.rings[i], *taken[i]);
    addGroups(view);
    return view;
  }
  static device::MemoryLevel levelOf(const Buffer& b) {
    return model::isShared(b.allocation->memory) ? device::MemoryLevel::kShared : device::MemoryLevel::kRegisters;
  }

  // Of buffers that are used alike, the first one's times, and those of the others' fillings and reads.
  void addSpans(BufferRing& ring, const Buffer& first) const {
    std::vector<Filling> all = first.fillings;
    for (const auto& [node, b] : buffers_) {
      if (&b == &first || !std::ranges::count(ring.buffers, b.allocation->buffer->name)) continue;
      for (std::size_t i = 0; i < all.size() && i < b.fillings.size(); ++i) {
        all[i].from = std::min(all[i].from, b.fillings[i].from);
        all[i].landed = std::max(all[i].landed, b.fillings[i].landed);
        all[i].reads.insert(all[i].reads.end(), b.fillings[i].reads.begin(), b.fillings[i].reads.end());
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      Filling& f = all[i];
      double end = p_.clocks();  // or the next filling of the slot
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        if (all[j].slot != f.slot) continue;
        end = all[j].from;
        break;
      }
      const auto add = [&](State state, double from, double to) {
        from = std::min(from, end), to = std::min(to, end);
        if (to > from) ring.spans.push_back({state, f.slot, f.step, from, to});
      };
      add(State::kInFlight, f.from, f.landed);
      std::ranges::sort(f.reads, {}, &Interval::from);
      double at = f.landed;
      for (std::size_t r = 0; r < f.reads.size();) {
        Interval read = f.reads[r++];
        for (; r < f.reads.size() && f.reads[r].from <= read.to; ++r) read.to = std::max(read.to, f.reads[r].to);
        read.from = std::max(read.from, at);
        add(State::kLanded, at, read.from);
        add(State::kRead, read.from, read.to);
        at = std::max(at, read.to);
      }
      if (f.reads.empty()) add(State::kLanded, at, end);
    }
  }

  void addGroups(PipelineView& view) const {
    std::vector<double> busyUntil;  // by lane
    for (const Group& g : groups_) {
      if (g.parts.empty()) continue;
      view.groups.push_back(g.shown);
      CopyGroup& shown = view.groups.back();
      const auto free = std::ranges::find_if(busyUntil, [&](double until) { return until <= shown.from; });
      shown.lane = int(free - busyUntil.begin());
      if (free == busyUntil.end()) busyUntil.push_back(0);
      busyUntil[std::size_t(shown.lane)] = shown.to;
    }
    view.lanes = int(busyUntil.size());
  }

  struct Group {
    CopyGroup shown;
    std::vector<std::pair<Buffer*, std::size_t>> parts;  // and which of its fillings
    bool pending = true, awaited = false;
  };

  const Playback& p_;
  const model::KernelAccesses& k_;
  std::map<const device::StmtNode*, int> loopOf_, itemOf_, actionAt_;
  std::vector<double> before_;
  std::map<const ir::BufferNode*, Buffer> buffers_;
  device::WarpState warp_;
  std::map<int, std::int64_t> values_;                        // of loops, by index in KernelAccesses::loops
  std::map<int, std::pair<std::int64_t, std::int64_t>> now_;  // by item: the iteration, and how many are followed
  std::vector<Group> groups_;
  Group started_;
  double last_ = 0;  // when the statement before has ended
  int statements_ = 0;
};

}  // namespace

PipelineView pipelineOf(const Playback& playback, const model::KernelAccesses& kernel) {
  return Follower(playback, kernel).follow();
}

}  // namespace loom::session
