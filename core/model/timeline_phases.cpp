#include "core/model/timeline_phases.h"

#include <algorithm>
#include <deque>
#include <numeric>

namespace loom::model {
namespace {

template <typename Parts>
double clocksOf(const Parts& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const CopyPart& c) { return sum + c.clocks; });
}

constexpr double kRounding = 1e-6;  // clocks

// A phase while its length is sought.
struct CopyingPhase {
  TimelinePhase* phase = nullptr;
  double times = 1;               // how often it occurs where it is one of Phases, in a loop that starts no copies
  double copied = 0;              // clocks of copies that end within the phase
  double longer = 0;              // clocks by which copies that run on make it longer
  bool isFull = false;            // whether copies are under way when it ends
  std::vector<CopyPart> started;  // copies that may go on behind it
  double begun() const { return clocksOf(started); }
  double room() const { return std::max(0.0, phase->throughput - copied); }
};
using Phases = std::vector<CopyingPhase>;
using Queue = std::deque<CopyPart>;  // copies under way, in the order of their start

// The phase's length where all that its actions do is done within it. `lines`: of memory instructions for copies, which
// shared memory takes turns with.
void setLength(TimelinePhase& p, double lines, bool beside) {
  const double copy = p.clocks[int(Track::Copy)], shared = p.clocks[int(Track::Shared)];
  const double arithmetic = p.clocks[int(Track::Arithmetic)], issue = p.clocks[int(Track::Issue)];
  const double turns = beside ? lines : copy, memory = turns + shared;
  p.throughput = std::max({memory, arithmetic, issue, copy});
  p.exposed = {};
  if (p.throughput == arithmetic && arithmetic > 0) {
    p.busiest = Track::Arithmetic;
  } else if (p.throughput == memory) {
    p.busiest = turns >= shared ? Track::Copy : Track::Shared;
    p.exposed[int(Track::Copy)] = turns;
    p.exposed[int(Track::Shared)] = shared;
    return;
  } else {
    p.busiest = p.throughput == copy ? Track::Copy : Track::Issue;
  }
  p.exposed[std::size_t(p.busiest)] = p.throughput;
}

// Copies go through L2 one behind the other, from where they are started, in each phase as far as there is room.
// `queue`: what is under way when the first phase begins; returns what is when the last one ends.
Queue flow(Phases& phases, Queue queue) {
  for (CopyingPhase& part : phases) {
    TimelinePhase& p = *part.phase;
    p.copies.clear();
    for (CopyPart& c : queue) c.from = 0, c.before = true;
    queue.insert(queue.end(), part.started.begin(), part.started.end());
    double at = 0;
    while (!queue.empty()) {
      CopyPart& first = queue.front();
      at = std::max(at, first.from);
      const double done = std::clamp((part.room() - at) * part.times, 0.0, first.clocks);
      if (done > 0) p.copies.push_back({first.action, at, done / part.times, first.before});
      first.clocks -= done;
      if (first.clocks > kRounding) break;
      at += done / part.times;
      queue.pop_front();
    }
    part.isFull = !queue.empty();
  }
  return queue;
}

void lengthen(CopyingPhase& part, double clocks) {
  part.phase->throughput += clocks / part.times;
  part.longer += clocks / part.times;
}

// What the phases have no room for makes them longer: those that start copies and don't end before these, by what they
// start. Returns whether there are such phases.
bool lengthen(Phases& phases, double missing) {
  const auto isMeant = [](const CopyingPhase& part) { return part.isFull && !part.started.empty(); };
  double all = 0;
  for (const CopyingPhase& part : phases) all += isMeant(part) ? part.begun() : 0;
  if (all <= 0) return false;
  for (CopyingPhase& part : phases)
    if (isMeant(part)) lengthen(part, missing * part.begun() / all);
  return true;
}

// Of phases that copies have made longer: copies decide the length of those whose time they fill, and what they add to
// the others.
void markLonger(Phases& phases) {
  if (std::ranges::all_of(phases, [](const CopyingPhase& part) { return part.longer <= 0; })) return;
  for (CopyingPhase& part : phases) {
    TimelinePhase& p = *part.phase;
    if (p.clocks[int(Track::Copy)] >= p.throughput - kRounding) {
      p.exposed = {};
      p.exposed[int(Track::Copy)] = p.throughput;
    } else {
      p.exposed[int(Track::Copy)] += part.longer;
    }
    if (p.exposed[int(Track::Copy)] > p.throughput / 2) p.busiest = Track::Copy;
  }
}

void settle(Phases& phases) {
  for (CopyingPhase& part : phases) part.phase->clocks[int(Track::Copy)] = part.copied + clocksOf(part.phase->copies);
  markLonger(phases);
}

// The copies of a loop: what each of its passes starts, and the clocks of what it leaves for the next one.
struct LoopCopies {
  std::vector<CopyPart> started;
  double left = 0;
};

// Phases of a loop's pass. It has done by its end as much as it has started, only for other passes: what it leaves,
// whose clocks are returned, comes in again at its beginning.
double shareAround(Phases& phases) {
  double missing = 0;
  for (const CopyingPhase& p : phases) missing += p.begun() - p.room() * p.times;
  if (missing > 0) {
    for (CopyingPhase& p : phases) p.isFull = true;
    lengthen(phases, missing);
  }
  const double left = clocksOf(flow(phases, flow(phases, {})));
  settle(phases);
  return left;
}

// Phases one behind the other, between `before`, which is under way when they begin, and a loop that begins with no
// more than `after` clocks of copies under way. Returns what is left then.
Queue shareBetween(Phases& phases, const Queue& before, double after) {
  if (phases.empty()) return before;
  // Longer phases are others' room, too, so that one time may not be enough. The last one that starts copies waits for
  // what is left: there, all that is started before can end.
  constexpr int kTimes = 8;
  const auto last =
      std::ranges::find_if(phases.rbegin(), phases.rend(), [](const CopyingPhase& p) { return !p.started.empty(); });
  CopyingPhase& waiting = last == phases.rend() ? phases.back() : *last;
  Queue left = flow(phases, before);
  for (int i = 0; i <= kTimes && clocksOf(left) > after + kRounding; ++i) {
    const double missing = clocksOf(left) - after;
    if (i == kTimes || !lengthen(phases, missing)) lengthen(waiting, missing);
    left = flow(phases, before);
  }
  settle(phases);
  return left;
}

// The copies that are under way, `clocks` of them, when the last pass of a loop has started its own.
Queue underWay(const LoopCopies& loop, double clocks) {
  Queue queue;
  for (auto c = loop.started.rbegin(); clocks > 0 && !loop.started.empty();) {
    queue.push_front(*c);
    queue.front().clocks = std::min(c->clocks, clocks);
    clocks -= c->clocks;
    if (++c == loop.started.rend()) c = loop.started.rbegin();
  }
  return queue;
}

// Divides a timeline into runs of phases that copies go on through.
class Sharing {
 public:
  Sharing(Timeline& t, const std::vector<double>& lines, bool beside) : t_(t), lines_(lines), beside_(beside) {}

  // Of what is inside of the items [from, to): the life, or the pass of a loop, which `repeats`. A loop that starts
  // copies ends with as much of them under way as it begins with, only of its own. That is no more than what one of its
  // passes leaves for the next, or than what is started before it but for one pass's, for which the first pass waits;
  // and nothing if no phase follows. Around such a loop, the pass of another one ends with nothing under way.
  LoopCopies share(int from, int to, bool repeats) {
    Phases phases;
    Queue under;  // when the first of `phases` begins
    LoopCopies all;
    bool whole = true;
    const auto add = [&](auto&& self, int i, int end, double times) -> void {
      for (; i < end; i = item(i).end) {
        if (item(i).kind == TimelineItem::Kind::Phase) {
          phases.push_back(phaseOf(i));
          phases.back().times = times;
          all.started.insert(all.started.end(), phases.back().started.begin(), phases.back().started.end());
        } else if (startsCopies(i)) {
          const LoopCopies loop = share(i + 1, item(i).end, true);
          double ahead = clocksOf(under) - clocksOf(loop.started);
          for (const CopyingPhase& p : phases) ahead += p.begun();
          const int next = item(i).end;
          const bool isFollowed = next < to && (item(next).kind == TimelineItem::Kind::Phase || !startsCopies(next));
          under = underWay(loop, clocksOf(shareBetween(phases, under, isFollowed ? std::max(loop.left, ahead) : 0)));
          all.started.insert(all.started.end(), loop.started.begin(), loop.started.end());
          phases.clear();
          whole = false;
        } else {
          self(self, i + 1, item(i).end, times * double(item(i).extent));
        }
      }
    };
    add(add, from, to, 1);
    if (repeats && whole)
      all.left = shareAround(phases);
    else
      shareBetween(phases, under, 0);
    return all;
  }

 private:
  const TimelineItem& item(int i) const { return t_.items[std::size_t(i)]; }

  bool runsOn(const TimelineAction& a) const { return beside_ && a.asynchronous && a.clocks[int(Track::Copy)] > 0; }

  bool startsCopies(int loop) const {
    for (int i = loop + 1; i < item(loop).end; ++i)
      if (item(i).kind == TimelineItem::Kind::Action && runsOn(t_.actions[std::size_t(item(i).index)])) return true;
    return false;
  }

  // A phase with the sums over its actions, as long as what ends within it takes.
  CopyingPhase phaseOf(int at) const {
    CopyingPhase part;
    part.phase = &t_.phases[std::size_t(item(at).index)];
    TimelinePhase& p = *part.phase;
    p.clocks = p.waits = {};
    double ofLines = 0, before = 0;  // before: of memory instructions, which are issued in order
    for (int j = at + 1; j < item(at).end; ++j) {
      if (item(j).kind != TimelineItem::Kind::Action) continue;
      const int n = item(j).index;
      const TimelineAction& a = t_.actions[std::size_t(n)];
      ofLines += lines_[std::size_t(n)];
      for (std::size_t track = 0; track < std::size_t(kTracks); ++track) {
        p.clocks[track] += a.clocks[track];
        p.waits[track] += a.waits[track];
      }
      if (runsOn(a)) part.started.push_back({n, before, a.clocks[int(Track::Copy)], false});
      before += lines_[std::size_t(n)] + a.clocks[int(Track::Shared)];
    }
    part.copied = std::max(0.0, p.clocks[int(Track::Copy)] - part.begun());
    p.clocks[int(Track::Copy)] = part.copied;
    setLength(p, ofLines, beside_);
    return part;
  }

  Timeline& t_;
  const std::vector<double>& lines_;
  const bool beside_;
};

}  // namespace

double shareByPhases(Timeline& t, const std::vector<double>& lines, bool beside) {
  Sharing(t, lines, beside).share(0, int(t.items.size()), false);
  double own = 0;
  for (const TimelinePhase& p : t.phases) own += p.times * p.throughput;
  return own;
}

}  // namespace loom::model
