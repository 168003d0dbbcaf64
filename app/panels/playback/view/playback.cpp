#include "app/panels/playback/view/playback.h"

#include <algorithm>
#include <cmath>

#include "app/panels/playback/view/phase_layout.h"

namespace loom::session {

using device::MemoryLevel;
using model::KernelAccesses;
using model::Timeline;
using model::TimelineAction;
using model::TimelineItem;
using model::TimelinePhase;
using model::Track;
using Kind = model::TimelineAction::Kind;

namespace {

double slackOf(const Timeline& t) { return std::max(1e-9, t.clocks * 1e-9); }

}  // namespace

Playback::Playback(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const KernelAccesses> kernel)
    : timeline_(std::move(timeline)), kernel_(std::move(kernel)) {
  bars_.resize(timeline_->phases.size());
  for (int i = 0; i < int(timeline_->items.size()); ++i)
    if (item(i).kind == TimelineItem::Kind::Phase) bars_[std::size_t(item(i).index)] = layOutPhase(*timeline_, i);
  pipeline_ = pipelineOf(*this, *kernel_);
}

std::vector<PlaybackPiece> Playback::pieces() const {
  std::vector<PlaybackPiece> all;
  double at = 0;
  for (int i = 0; i < int(timeline_->items.size()); i = item(i).end) {
    const double clocks = item(i).clocks * double(item(i).extent);
    all.push_back({i, at, clocks});
    at += clocks;
  }
  return all;
}

Playback::Place Playback::placeAt(double clocks) const {
  Place p;
  double base = 0;
  clocks = std::clamp(clocks, 0.0, std::max(0.0, timeline_->clocks));
  // Where a pass ends the next begins, whatever sums of doubles say.
  const double slack = slackOf(*timeline_);
  int from = 0, to = int(timeline_->items.size());
  while (from < to) {
    int found = -1;
    double start = base;
    for (int i = from; i < to; i = item(i).end) {
      const double all = item(i).clocks * double(item(i).extent);
      found = i;
      base = start;
      if (clocks < start + all - slack) break;
      start += all;
    }
    if (found < 0) break;
    const TimelineItem& x = item(found);
    if (x.kind == TimelineItem::Kind::Phase) {
      p.phase = found;
      p.phaseFrom = base;
      break;
    }
    const std::int64_t pass =
        x.clocks > 0 ? std::clamp<std::int64_t>(std::int64_t((clocks - base + slack) / x.clocks), 0, x.extent - 1) : 0;
    p.passes.emplace_back(found, pass);
    base += double(pass) * x.clocks;
    from = found + 1;
    to = x.end;
  }
  return p;
}

PlaybackWindow Playback::windowAt(double clocks) const {
  const Place p = placeAt(clocks);
  PlaybackWindow w;
  double base = 0;
  int from = 0, to = int(timeline_->items.size());
  for (const auto& [loop, pass] : p.passes) {
    for (int i = from; i < loop; i = item(i).end) base += item(i).clocks * double(item(i).extent);
    base += double(pass) * item(loop).clocks;
    from = loop + 1;
    to = item(loop).end;
    if (loop != timeline_->step) continue;
    w.item = loop;
    w.from = base;
    w.clocks = item(loop).clocks;
    w.pass = pass;
    w.passes = item(loop).extent;
    double at = 0;
    for (int i = from; i < to; i = item(i).end) {
      if (item(i).kind == TimelineItem::Kind::Phase) w.phases.push_back({i, at, item(i).clocks});
      at += item(i).clocks * double(item(i).extent);
    }
    return w;
  }
  w.item = p.phase;
  w.from = p.phaseFrom;
  w.clocks = p.phase >= 0 ? item(p.phase).clocks : 0;
  if (p.phase >= 0) w.phases.push_back({p.phase, 0, w.clocks});
  return w;
}

const std::vector<PlaybackBar>& Playback::bars(int phase) const { return bars_[std::size_t(item(phase).index)]; }

double Playback::boundary(double clocks, bool forward) const {
  const PlaybackWindow w = windowAt(clocks);
  const double slack = 2 * slackOf(*timeline_);
  std::vector<double> begins{w.from, w.from + w.clocks};
  for (const auto& phase : w.phases) {
    begins.push_back(w.from + phase.from);
    // Issue goes on beside everything: its bars are no events.
    for (const PlaybackBar& b : bars(phase.item))
      if (b.track != Track::Issue) begins.push_back(w.from + phase.from + b.from);
  }
  std::sort(begins.begin(), begins.end());
  if (forward) {
    for (double b : begins)
      if (b > clocks + slack) return std::min(b, timeline_->clocks);
    return timeline_->clocks;
  }
  for (auto b = begins.rbegin(); b != begins.rend(); ++b)
    if (*b < clocks - slack) return *b;
  if (clocks <= slack) return 0;
  // At the beginning of the window: into the one before, by its last bar.
  const double before = clocks - 2 * slack;
  return boundary(before, false);
}

double Playback::step(double clocks, bool forward) const {
  const PlaybackWindow w = windowAt(clocks);
  const double to = forward ? w.from + w.clocks : clocks - w.from > w.clocks * 0.001 ? w.from : w.from - w.clocks;
  if (!forward && to < w.from) return std::max(0.0, windowAt(std::max(0.0, w.from - 4 * slackOf(*timeline_))).from);
  return std::clamp(to, 0.0, timeline_->clocks);
}

void Playback::addAction(model::TimelinePosition& m, const PlaybackBar& bar) const {
  const TimelineAction& a = timeline_->actions[std::size_t(bar.action)];
  if (a.kind == Kind::Barrier) {
    m.barrier = true;
    return;
  }
  if (a.block && !m.isRunning(a.block)) m.blocks.push_back(a.block);
  const bool issue = bar.track == Track::Issue;
  for (int i : a.accesses) {
    const model::Access& x = kernel_->accesses[std::size_t(i)];
    const bool global = x.memory == device::Memory::Global, shared = model::isShared(x.memory);
    const bool mine = issue || (bar.track == Track::Copy && global) || (bar.track == Track::Shared && shared) ||
                      (bar.track == Track::Arithmetic && !global && !shared);
    // What a load or copy fills lights up with it.
    if (!mine && !x.write && bar.track != Track::Arithmetic) continue;
    const model::TimelinePosition::Touch touch{x.block, x.buffer->name, x.write};
    if (std::find(m.touches.begin(), m.touches.end(), touch) == m.touches.end()) m.touches.push_back(touch);
    if (!mine) continue;
    auto move = [&](MemoryLevel from, MemoryLevel to) { m.moves.push_back({x.block, from, to}); };
    if (global && !x.write) {
      move(MemoryLevel::kGlobal, MemoryLevel::kL2);
      move(MemoryLevel::kL2, a.kind == Kind::Copy ? MemoryLevel::kShared : MemoryLevel::kRegisters);
    } else if (global) {
      move(MemoryLevel::kRegisters, MemoryLevel::kGlobal);
      move(MemoryLevel::kRegisters, MemoryLevel::kL2);
      move(MemoryLevel::kL2, MemoryLevel::kGlobal);
    } else if (shared && x.write) {
      move(a.kind == Kind::Copy ? MemoryLevel::kL2 : MemoryLevel::kRegisters, MemoryLevel::kShared);
    } else if (shared) {
      move(MemoryLevel::kShared, MemoryLevel::kRegisters);
    } else if (bar.track == Track::Arithmetic) {
      move(MemoryLevel::kRegisters, MemoryLevel::kTensorCore);
      move(MemoryLevel::kTensorCore, MemoryLevel::kRegisters);
    }
  }
}

model::TimelinePosition Playback::momentAt(int node, double clocks) const {
  model::TimelinePosition m;
  m.node = node;
  m.clocks = clocks;
  const Place p = placeAt(clocks);
  auto add = [&](int loop, std::int64_t value, bool runs) {
    const TimelineItem& x = item(loop);
    m.loops.push_back({x.var, x.id, value, x.extent, runs});
  };
  for (const auto& [loop, pass] : p.passes) add(loop, pass, false);
  if (p.phase < 0) return m;
  const double end = item(p.phase).clocks * (1 - 1e-9);
  const double within = std::clamp(clocks - p.phaseFrom, 0.0, std::max(0.0, end));
  const TimelinePhase& phase = timeline_->phases[std::size_t(item(p.phase).index)];
  std::vector<const PlaybackBar*> now;
  for (const PlaybackBar& b : bars(p.phase))
    if (within >= b.from && within < b.to) now.push_back(&b);
  // The busiest pipe leads; issue comes last: it accompanies the others.
  auto rank = [&](const PlaybackBar* b) {
    return b->wait || b->before ? 9 : b->track == Track::Issue ? 8 : b->track == phase.busiest ? 0 : 1 + int(b->track);
  };
  std::stable_sort(now.begin(), now.end(), [&](auto* a, auto* b) { return rank(a) < rank(b); });
  const PlaybackBar* leading = nullptr;
  bool others = false;
  for (const PlaybackBar* b : now) others |= !b->wait && !b->before && b->track != Track::Issue;
  for (const PlaybackBar* b : now) {
    // What was started for another pass says nothing of this one's values.
    if (b->wait || b->before ||
        (others && b->track == Track::Issue && timeline_->actions[std::size_t(b->action)].kind != Kind::Barrier))
      continue;
    if (!leading) leading = b;
    addAction(m, *b);
  }
  if (!leading) return m;
  // Loops around it inside of the phase: those drawn pass by pass stand still, the others run through with the bar.
  int at = -1;
  for (int i = p.phase + 1; i < item(p.phase).end; ++i)
    if (item(i).kind == TimelineItem::Kind::Action && item(i).index == leading->action) at = i;
  std::vector<int> around;
  for (int i = at >= 0 ? item(at).parent : -1; i > p.phase; i = item(i).parent) around.push_back(i);
  std::reverse(around.begin(), around.end());
  std::int64_t runs = 1;
  auto fixed = [&](int loop) -> const std::int64_t* {
    for (const auto& [l, v] : leading->values)
      if (l == loop) return &v;
    return nullptr;
  };
  for (int l : around)
    if (!fixed(l)) runs *= item(l).extent;
  std::int64_t n = std::clamp<std::int64_t>(
      std::int64_t((within - leading->from) / (leading->to - leading->from) * double(runs)), 0, runs - 1);
  for (int l : around) {
    if (const std::int64_t* v = fixed(l)) {
      add(l, *v, false);
      continue;
    }
    runs /= item(l).extent;
    add(l, n / runs, true);
    n %= runs;
  }
  return m;
}

std::vector<TouchedTile> tilesAt(const ThreadBinding& binding, const model::TimelinePosition& moment,
                                 std::int64_t block) {
  std::vector<TouchedTile> tiles;
  const KernelAccesses& k = binding.accesses();
  for (const model::TimelinePosition::Touch& touch : moment.touches) {
    for (const model::Access& a : k.accesses) {
      if (!touch.isBy(a)) continue;
      if (a.memory == device::Memory::Local || a.memory == device::Memory::Fragment) continue;
      model::Chosen chosen;
      model::chooseBlock(chosen, binding.kernel(), block);
      chosen.loops = moment.standingLoops(k, a);
      auto elements = model::elementsOf(k, a, chosen);
      if (!elements || elements->empty()) continue;
      const std::int64_t pitch = std::max<std::int64_t>(1, binding.rowsOf(a).pitch);
      std::int64_t rowTo = 0, columnTo = 0;
      TouchedTile t{a.buffer->name, a.write, INT64_MAX, 0, INT64_MAX, 0, std::int64_t(elements->size())};
      for (std::int64_t e : *elements) {
        t.row = std::min(t.row, e / pitch);
        rowTo = std::max(rowTo, e / pitch);
        t.column = std::min(t.column, e % pitch);
        columnTo = std::max(columnTo, e % pitch);
      }
      t.rows = rowTo - t.row + 1;
      t.columns = columnTo - t.column + 1;
      tiles.push_back(t);
      break;
    }
  }
  return tiles;
}

double unitOf(const model::Budget& b) {
  constexpr double kWhole = 9.95, kThousands = 1e5;
  return b.clocks < kWhole ? 0.1 : b.clocks < kThousands ? 1 : 1000;
}

model::TrackClocks addedClocks(const model::Budget& b) {
  model::TrackClocks added{};
  for (std::size_t i = 0; i < added.size(); ++i) added[i] = b.exposed[i] + b.waits[i];
  const double unit = unitOf(b);
  // Rounded down first; what is missing then goes to those that lost the most.
  model::TrackClocks lost{};
  double missing = std::round(b.clocks / unit);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const double whole = std::floor(added[i] / unit);
    lost[i] = added[i] / unit - whole;
    added[i] = whole;
    missing -= whole;
  }
  for (; missing >= 1; --missing) {
    const auto most = std::max_element(lost.begin(), lost.end());
    ++added[std::size_t(most - lost.begin())];
    *most = -1;
  }
  for (double& clocks : added) clocks *= unit;
  return added;
}

}  // namespace loom::session
