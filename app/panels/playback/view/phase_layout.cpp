#include "app/panels/playback/view/phase_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loom::session {

using model::Timeline;
using model::TimelineAction;
using model::TimelineItem;
using model::TimelinePhase;
using model::Track;
using model::TrackClocks;
using Kind = model::TimelineAction::Kind;

namespace {

constexpr int kMostBars = 64;             // instances of actions in a phase
constexpr std::int64_t kMostPasses = 16;  // of a loop that is drawn pass by pass
constexpr std::int64_t kFewPasses = 3;    // the loads of one run beside the products of the one before

// An action in one pass of the loops that are drawn pass by pass.
struct Instance {
  int action = -1;
  double share = 1;         // of the action's clocks
  std::int64_t passes = 1;  // of the other loops, drawn as one
  std::vector<std::pair<int, std::int64_t>> values;
};

// Copies and shared memory take turns in one pipe, unless L2 limits the copies. Instructions are issued by the last
// one.
using Pipes = std::vector<std::vector<Track>>;
const Pipes& pipesOf(const Timeline& t) {
  static const Pipes kTurns = {{Track::Copy, Track::Shared}, {Track::Arithmetic}, {Track::Issue}};
  static const Pipes kBeside = {{Track::Copy}, {Track::Shared}, {Track::Arithmetic}, {Track::Issue}};
  return t.bySecondLevel ? kBeside : kTurns;
}

class Layout {
 public:
  Layout(const Timeline& t, int phaseItem) : t_(t), item_(phaseItem), pipes_(pipesOf(t)) {
    for (int action = 0; action < int(t.actions.size()); ++action) runsOn_.push_back(runsOn(action));
    choosePasses();
  }

  std::vector<PlaybackBar> bars() {
    const TimelinePhase& phase = t_.phases[std::size_t(item(item_).index)];
    std::vector<Instance> all;
    addInstances(item_ + 1, item(item_).end, {}, all);
    const auto works = [&](const Instance& i) { return actionOf(i).kind != Kind::Barrier; };
    const auto first = std::find_if(all.begin(), all.end(), works);
    const auto last = std::find_if(all.rbegin(), all.rend(), works).base();
    const std::vector<Instance> opening(all.begin(), first), work(first, std::max(first, last)),
        closing(std::max(first, last), all.end());
    const double length = phase.length();
    const auto issueOf = [&](const std::vector<Instance>& list) {
      double sum = 0;
      for (const Instance& i : list) sum += clocksOf(i, Track::Issue);
      return sum;
    };
    // Barriers stand before and behind the passes where the busiest pipe leaves time for that, else beside them.
    TrackClocks clocks = phase.clocks;
    for (const model::CopyPart& c : phase.copies) clocks[std::size_t(Track::Copy)] -= c.clocks;
    double longest = 0;
    for (std::size_t pipe = 0; pipe + 1 < pipes_.size(); ++pipe) {
      double sum = 0;
      for (const Track track : pipes_[pipe]) sum += clocks[std::size_t(track)];
      longest = std::max(longest, sum);
    }
    const double room = phase.throughput - longest;
    const double open = issueOf(opening), close = issueOf(closing);
    const double barriers = open + close, share = barriers > 0 ? std::clamp(room / barriers, 0.0, 1.0) : 1;
    place(opening, 0);
    place(closing, length - close);
    // Nests one behind the other have each its own time.
    const double rest = length - barriers * share, waited = length - phase.throughput;
    auto nests = nestsOf(work);
    if (share < 1 || !fitBehindEachOther(nests, phase, rest - waited)) nests = {work};
    double at = open * share;
    for (const auto& nest : nests) {
      auto passes = passesOf(nest);
      if (std::int64_t(passes.size()) <= kFewPasses || share < 1) passes = {nest};
      const double part = nests.size() == 1 ? 1 : busiestOf(nest, phase) / busiestOf(work, phase);
      TrackClocks waits = nests.size() == 1 ? phase.waits : waitsOf(nest, work, phase);
      const double span =
          ((rest - waited) * part + std::accumulate(waits.begin(), waits.end(), 0.0)) / double(passes.size());
      for (double& w : waits) w /= double(passes.size());
      for (const auto& pass : passes) {
        laySpan(pass, at, span, waits, open * (1 - share));
        at += span;
      }
    }
    addCopies(phase, length);
    return std::move(bars_);
  }

 private:
  const TimelineItem& item(int i) const { return t_.items[std::size_t(i)]; }
  const TimelineAction& actionOf(const Instance& i) const { return t_.actions[std::size_t(i.action)]; }
  // Copies that run on have their place by the phases (addCopies), which needn't be the one that starts them.
  bool runsOn(int action) const {
    return std::ranges::any_of(t_.phases, [&](const TimelinePhase& p) {
      return std::ranges::count(p.copies, action, &model::CopyPart::action) > 0;
    });
  }
  double clocksOf(const Instance& i, Track track) const {
    return track == Track::Copy && runsOn_[std::size_t(i.action)] ? 0
                                                                  : actionOf(i).clocks[std::size_t(track)] * i.share;
  }

  // Does the pass of a loop ask for several pipes in turn? A single kind of work is one bar however often it comes.
  bool alternates(int loop) const {
    int actions = 0;
    bool mixed = false;
    for (int i = loop + 1; i < item(loop).end; ++i) {
      if (item(i).kind != TimelineItem::Kind::Action) continue;
      ++actions;
      const TrackClocks& c = t_.actions[std::size_t(item(i).index)].clocks;
      mixed |= c[std::size_t(Track::Arithmetic)] > 0 && c[std::size_t(Track::Copy)] + c[std::size_t(Track::Shared)] > 0;
    }
    return actions > 1 || mixed;
  }
  // Outer loops first, as long as the bars stay few enough to be told apart.
  void choosePasses() {
    byPass_.resize(t_.items.size());
    for (int i = item_ + 1; i < item(item_).end; ++i) {
      if (item(i).kind == TimelineItem::Kind::Action || item(i).extent > kMostPasses || !alternates(i)) continue;
      byPass_[std::size_t(i)] = true;
      if (bars(item_ + 1, item(item_).end) > kMostBars) byPass_[std::size_t(i)] = false;
    }
  }
  std::int64_t bars(int from, int to) const {
    std::int64_t n = 0;
    for (int i = from; i < to; i = item(i).end)
      n += item(i).kind == TimelineItem::Kind::Action
               ? 1
               : (byPass_[std::size_t(i)] ? item(i).extent : 1) * bars(i + 1, item(i).end);
    return n;
  }

  void addInstances(int from, int to, Instance now, std::vector<Instance>& out) const {
    for (int i = from; i < to; i = item(i).end) {
      if (item(i).kind == TimelineItem::Kind::Action) {
        now.action = item(i).index;
        out.push_back(now);
        continue;
      }
      if (!byPass_[std::size_t(i)]) {
        Instance sum = now;
        sum.passes *= std::max<std::int64_t>(1, item(i).extent);
        addInstances(i + 1, item(i).end, std::move(sum), out);
        continue;
      }
      for (std::int64_t v = 0; v < item(i).extent; ++v) {
        Instance pass = now;
        pass.share /= double(item(i).extent);
        pass.values.emplace_back(i, v);
        addInstances(i + 1, item(i).end, std::move(pass), out);
      }
    }
  }

  double clocksOf(const std::vector<Instance>& work, std::size_t pipe) const {
    double sum = 0;
    for (const Instance& i : work)
      for (const Track track : pipes_[pipe]) sum += clocksOf(i, track);
    return sum;
  }
  // Of the pipe that is the phase's busiest.
  double busiestOf(const std::vector<Instance>& work, const TimelinePhase& phase) const {
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
      if (std::ranges::count(pipes_[pipe], phase.busiest) > 0) return clocksOf(work, pipe);
    return 0;
  }
  TrackClocks waitsOf(const std::vector<Instance>& part, const std::vector<Instance>& work,
                      const TimelinePhase& phase) const {
    TrackClocks waits{};
    for (std::size_t t = 0; t < waits.size(); ++t) {
      double own = 0, all = 0;
      for (const Instance& i : part) own += actionOf(i).waits[t] * i.share;
      for (const Instance& i : work) all += actionOf(i).waits[t] * i.share;
      waits[t] = all > 0 ? phase.waits[t] * own / all : 0;
    }
    return waits;
  }
  // Is there time for what each pipe does of each nest, were the nests given theirs by the busiest pipe? And are all
  // waits some action's?
  bool fitBehindEachOther(const std::vector<std::vector<Instance>>& nests, const TimelinePhase& phase,
                          double busy) const {
    double sum = 0, told = 0;
    for (const auto& nest : nests) sum += busiestOf(nest, phase);
    if (nests.size() < 2 || sum <= 0) return false;
    constexpr double kRounding = 1 + 1e-9;
    std::vector<Instance> work;
    for (const auto& nest : nests) work.insert(work.end(), nest.begin(), nest.end());
    for (const auto& nest : nests) {
      for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
        if (clocksOf(nest, pipe) > busy * busiestOf(nest, phase) / sum * kRounding) return false;
      for (const double w : waitsOf(nest, work, phase)) told += w;
    }
    const double waits = std::accumulate(phase.waits.begin(), phase.waits.end(), 0.0);
    return std::abs(told - waits) <= 1e-6 * waits;
  }

  // Runs of actions under one loop that is drawn pass by pass, or under none.
  static std::vector<std::vector<Instance>> nestsOf(const std::vector<Instance>& work) {
    std::vector<std::vector<Instance>> nests;
    const auto outer = [](const Instance& i) { return i.values.empty() ? -1 : i.values.front().first; };
    for (const Instance& i : work) {
      if (nests.empty() || outer(nests.back().front()) != outer(i)) nests.push_back({});
      nests.back().push_back(i);
    }
    return nests;
  }

  // By the passes of the loops, drawn pass by pass, that all the work is done in.
  static std::vector<std::vector<Instance>> passesOf(const std::vector<Instance>& work) {
    if (work.empty()) return {};
    const auto& first = work.front().values;
    std::size_t common = first.size();
    for (const Instance& i : work) {
      common = std::min(common, i.values.size());
      for (std::size_t n = 0; n < common; ++n)
        if (i.values[n].first != first[n].first) common = n;
    }
    std::vector<std::vector<Instance>> passes;
    for (const Instance& i : work) {
      const auto end = i.values.begin() + std::ptrdiff_t(common);
      if (passes.empty() || !std::equal(i.values.begin(), end, passes.back().front().values.begin()))
        passes.push_back({});
      passes.back().push_back(i);
    }
    return passes;
  }

  void place(const std::vector<Instance>& barriers, double at) {
    for (const Instance& i : barriers) {
      const double clocks = clocksOf(i, Track::Issue);
      if (clocks > 0) bars_.push_back({i.action, Track::Issue, at, at + clocks, false, i.passes, i.values});
      at += clocks;
    }
  }

  struct Turn {  // what a pipe does one after another
    std::vector<PlaybackBar> bars;
    double sum = 0;
    void add(const Instance& i, Track track, double clocks) {
      if (clocks <= 0) return;
      bars.push_back({i.action, track, sum, sum + clocks, false, i.passes, i.values});
      sum += clocks;
    }
  };

  // `issued`: what of the barriers stands in the span.
  void laySpan(const std::vector<Instance>& work, double from, double length, const TrackClocks& waits, double issued) {
    const bool loads = std::any_of(work.begin(), work.end(), [&](const Instance& i) {
      return actionOf(i).kind == Kind::Load || (actionOf(i).kind == Kind::Copy && !actionOf(i).asynchronous);
    });
    // What needs values that are brought first.
    const auto late = [&](const TimelineAction& a, Track track) {
      switch (track) {
        case Track::Copy: return a.kind == Kind::Store;
        case Track::Shared: return a.kind == Kind::Copy && !a.asynchronous;
        case Track::Arithmetic:
          return loads || a.clocks[std::size_t(Track::Copy)] + a.clocks[std::size_t(Track::Shared)] > 0;
        case Track::Issue: break;
      }
      return false;
    };
    std::vector<Turn> early(pipes_.size()), end(pipes_.size());
    early.back().sum = issued;
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
      for (const Instance& i : work)
        for (const Track track : pipes_[pipe])
          (late(actionOf(i), track) ? end : early)[pipe].add(i, track, clocksOf(i, track));
    const double waited = std::accumulate(waits.begin(), waits.end(), 0.0), busy = length - waited;
    // Without the waits: what is late ends with the span; products of passes follow the loads of theirs, as far as all
    // get done.
    double brought = 0;  // when copies and loads are all under way
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe)
      if (pipes_[pipe].front() < Track::Arithmetic) brought = std::max(brought, early[pipe].sum);
    double stop = brought;
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe) {
      std::vector<PlaybackBar>& bars = end[pipe].bars;
      const bool byPass = pipes_[pipe].front() == Track::Arithmetic && isByPass(bars);
      double at = byPass ? 0 : busy - end[pipe].sum, left = end[pipe].sum;
      for (PlaybackBar& b : bars) {
        const double clocks = b.to - b.from;
        if (byPass) at = std::max(at, std::min(passed(b) * brought, busy - left));
        b.from = at;
        b.to = at += clocks;
        left -= clocks;
      }
      if (!bars.empty()) stop = std::min(stop, bars.front().from);
    }
    // The waits begin when all loads are under way, or sooner, before the first that needs them.
    stop = std::max(stop, 0.0);
    for (std::size_t pipe = 0; pipe < pipes_.size(); ++pipe) {
      for (const PlaybackBar& b : early[pipe].bars) addAround(b, from, stop, waited);
      for (const PlaybackBar& b : end[pipe].bars) addAround(b, from, stop, waited);
    }
    double at = from + stop;
    for (int track = 0; track < model::kTracks; ++track) {
      const double w = waits[std::size_t(track)];
      if (w > 0) bars_.push_back({-1, Track(track), at, at + w, true, 1, {}});
      at += w;
    }
  }

  // A bar of what begins first; what the waits interrupt goes on behind them.
  void addAround(PlaybackBar b, double from, double stop, double waited) {
    if (waited > 0 && b.from < stop && b.to > stop) {
      PlaybackBar rest = b;
      rest.from = stop;
      b.to = stop;
      addAround(std::move(rest), from, stop, waited);
    }
    const double by = from + (waited > 0 && b.from >= stop ? waited : 0);
    b.from += by, b.to += by;
    bars_.push_back(std::move(b));
  }

  // Copies that may run on, between the waits and the copies that end within the phase.
  void addCopies(const TimelinePhase& phase, double length) {
    if (phase.copies.empty()) return;
    struct Free {
      double from = 0, to = 0, before = 0;  // before: free clocks that come before it
    };
    std::vector<Free> all;
    double at = 0, sum = 0;
    const auto addFree = [&](double to) {
      if (to <= at) return;
      all.push_back({at, to, sum});
      sum += to - at;
    };
    std::ranges::sort(bars_, {}, &PlaybackBar::from);
    for (const PlaybackBar& b : bars_) {
      if (!b.wait && b.track != Track::Copy) continue;
      addFree(b.from);
      at = std::max(at, b.to);
    }
    addFree(length);
    for (const model::CopyPart& c : phase.copies) {
      const std::int64_t passes = passesOf(c.action);
      for (const Free& f : all) {
        const double from = f.from + std::max(0.0, c.from - f.before);
        const double to = std::min(f.to, f.from + c.from + c.clocks - f.before);
        if (to > from) bars_.push_back({c.action, Track::Copy, from, to, false, passes, {}, c.before});
      }
    }
  }
  // Of the loops around an action inside of its phase, all passes.
  std::int64_t passesOf(int action) const {
    std::int64_t passes = 1;
    for (int i = 0; i < int(t_.items.size()); ++i) {
      if (item(i).kind != TimelineItem::Kind::Action || item(i).index != action) continue;
      for (int j = item(i).parent; j >= 0 && item(j).kind == TimelineItem::Kind::Inner; j = item(j).parent)
        passes *= std::max<std::int64_t>(1, item(j).extent);
    }
    return passes;
  }

  // Are they of several passes of one loop?
  static bool isByPass(const std::vector<PlaybackBar>& bars) {
    if (bars.empty() || bars.front().values == bars.back().values) return false;
    return std::all_of(bars.begin(), bars.end(), [&](const PlaybackBar& b) {
      return !b.values.empty() && b.values.back().first == bars.front().values.back().first;
    });
  }
  // How much of its loop is over when a bar's pass is.
  double passed(const PlaybackBar& b) const {
    return double(b.values.back().second + 1) / double(item(b.values.back().first).extent);
  }

  const Timeline& t_;
  const int item_;
  const Pipes& pipes_;
  std::vector<bool> runsOn_;  // copies, by action
  std::vector<bool> byPass_;  // loops, by item
  std::vector<PlaybackBar> bars_;
};

}  // namespace

std::vector<PlaybackBar> layOutPhase(const Timeline& timeline, int phaseItem) {
  return Layout(timeline, phaseItem).bars();
}

}  // namespace loom::session
