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

// A phase while its length is sought.
struct CopyingPhase {
  TimelinePhase* phase = nullptr;
  double copied = 0;              // clocks of copies that end within the phase
  std::vector<CopyPart> started;  // copies that may go on behind it
  double begun() const { return clocksOf(started); }
  double room() const { return std::max(0.0, phase->throughput - copied); }
};

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

// Copies go through L2 one behind the other, from where they are started, in each phase as far as there is room:
// `queue` holds what the phases before left, then what these leave.
void flow(std::vector<CopyingPhase>& parts, std::deque<CopyPart>& queue) {
  for (CopyingPhase& part : parts) {
    TimelinePhase& p = *part.phase;
    p.copies.clear();
    for (CopyPart& c : queue) c.from = 0, c.before = true;
    queue.insert(queue.end(), part.started.begin(), part.started.end());
    double at = 0;
    while (!queue.empty()) {
      CopyPart& first = queue.front();
      at = std::max(at, first.from);
      const double done = std::min(first.clocks, part.room() - at);
      if (done > 0) p.copies.push_back({first.action, at, done, first.before});
      if (done < first.clocks) {
        first.clocks -= std::max(0.0, done);
        break;
      }
      at += done;
      queue.pop_front();
    }
  }
}

// What the phases have no room for makes them longer: those that start copies, by what they start.
void lengthen(std::vector<CopyingPhase>& parts, double missing) {
  const double all = std::accumulate(parts.begin(), parts.end(), 0.0,
                                     [](double sum, const CopyingPhase& p) { return sum + p.begun(); });
  if (all <= 0) return;
  for (CopyingPhase& part : parts) {
    if (part.started.empty()) continue;
    TimelinePhase& p = *part.phase;
    p.throughput += missing * part.begun() / all;
  }
}

// Copies decide the length of phases that are longer for them, and of those whose time they fill.
void markFilled(CopyingPhase& part) {
  constexpr double kRounding = 1e-9;
  TimelinePhase& p = *part.phase;
  if (p.clocks[int(Track::Copy)] < p.throughput * (1 - kRounding)) return;
  p.busiest = Track::Copy;
  p.exposed = {};
  p.exposed[int(Track::Copy)] = p.throughput;
}

// Of the phases that are directly in one loop, or in none. A loop's pass has done by its end as much as it has started,
// only for other passes: what it leaves comes in again at its beginning.
void runOn(std::vector<CopyingPhase>& parts, bool repeats) {
  std::deque<CopyPart> queue;
  double missing = 0;
  if (repeats) {
    for (const CopyingPhase& p : parts) missing += p.begun() - p.room();
    if (missing > 0) lengthen(parts, missing);
    flow(parts, queue);  // as the passes before leave it
  } else {
    // Longer phases are others' room, too, so that one time may not be enough.
    constexpr int kTimes = 8;
    for (int i = 0; i < kTimes; ++i, queue.clear()) {
      flow(parts, queue);
      const double left = clocksOf(queue);
      if (left <= 0) break;
      lengthen(parts, left);
      missing += left;
    }
  }
  flow(parts, queue);
  for (CopyingPhase& part : parts) {
    double& copy = part.phase->clocks[int(Track::Copy)];
    copy = part.copied + clocksOf(part.phase->copies);
    if (missing > 0) markFilled(part);
  }
}

}  // namespace

double shareByPhases(Timeline& t, const std::vector<double>& lines, bool beside) {
  // By the item around them; the last group is of those in none.
  std::vector<std::vector<CopyingPhase>> groups(t.items.size() + 1);
  for (int i = 0; i < int(t.items.size()); ++i) {
    const TimelineItem& item = t.items[std::size_t(i)];
    if (item.kind != TimelineItem::Kind::Phase) continue;
    CopyingPhase part{&t.phases[std::size_t(item.index)], 0, {}};
    TimelinePhase& p = *part.phase;
    p.clocks = p.waits = {};
    double ofLines = 0, before = 0;  // before: of memory instructions, which are issued in order
    for (int j = i + 1; j < item.end; ++j) {
      if (t.items[std::size_t(j)].kind != TimelineItem::Kind::Action) continue;
      const int n = t.items[std::size_t(j)].index;
      const TimelineAction& a = t.actions[std::size_t(n)];
      ofLines += lines[std::size_t(n)];
      for (std::size_t track = 0; track < std::size_t(kTracks); ++track) {
        p.clocks[track] += a.clocks[track];
        p.waits[track] += a.waits[track];
      }
      const double copy = a.clocks[int(Track::Copy)], issued = before;
      before += lines[std::size_t(n)] + a.clocks[int(Track::Shared)];
      if (!beside || !a.asynchronous || copy <= 0) continue;
      part.started.push_back({n, issued, copy, false});
    }
    part.copied = std::max(0.0, p.clocks[int(Track::Copy)] - part.begun());
    p.clocks[int(Track::Copy)] = part.copied;
    setLength(p, ofLines, beside);
    groups[item.parent < 0 ? t.items.size() : std::size_t(item.parent)].push_back(std::move(part));
  }
  if (beside)
    for (std::size_t i = 0; i < groups.size(); ++i) runOn(groups[i], i < t.items.size());
  double own = 0;
  for (const TimelinePhase& p : t.phases) own += p.times * p.throughput;
  return own;
}

}  // namespace loom::model
