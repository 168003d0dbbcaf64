#include "core/lower/pipeline_timetable.h"

#include <algorithm>

namespace loom::lower {

namespace {

constexpr std::int64_t kMany = std::int64_t{1} << 40;  // iterations, where nobody knows how many

}  // namespace

Timetable::Timetable(std::vector<Step> steps, std::vector<std::vector<int>> needs, std::optional<std::int64_t> extent)
    : steps_(std::move(steps)), needs_(std::move(needs)), extent_(extent) {
  for (const Step& s : steps_) last_ = std::max(last_, s.stage);
}

Timetable::Turn Timetable::first(int t) const { return turn(t, extent_.value_or(kMany)); }

Timetable::Turn Timetable::steady() const { return turn(last_, kMany); }

Timetable::Turn Timetable::last(int n) const {
  if (extent_ && *extent_ + n < last_) return {};
  const std::int64_t extent = extent_.value_or(kMany);
  return turn(extent + n, extent);
}

bool Timetable::isCovered(int writer) const {
  for (int reader = 0; reader < int(steps_.size()); ++reader) {
    if (std::ranges::count(needs_[std::size_t(reader)], writer) == 0) continue;
    bool covered = false;
    forEachBetween(writer, reader, [&](int step, int) { covered |= !steps_[std::size_t(step)].async; });
    if (!covered) return false;
  }
  return true;
}

Timetable::Turn Timetable::turn(std::int64_t t, std::int64_t extent) const {
  Turn turn;
  std::optional<std::size_t> waiting;  // the act with the last wait of this turn
  int allowed = 0;                     // what may be pending since, groups made after it among them
  for (int s = 0; s < int(steps_.size()); ++s) {
    const std::int64_t iteration = t - steps_[std::size_t(s)].stage;
    Act act;
    act.step = s;
    act.active = iteration >= 0 && iteration < extent;
    act.commit = commits(s, t, extent);
    if (!act.active && !act.commit) continue;
    if (act.active && !needs_[std::size_t(s)].empty() && readsBefore(s) < 0) {
      Wait wait;
      wait.allow = groupsSince(needs_[std::size_t(s)].front(), s, t, extent);
      for (int writer : needs_[std::size_t(s)]) wait.allow = std::min(wait.allow, groupsSince(writer, s, t, extent));
      for (int reader = 0; reader < int(steps_.size()); ++reader) {
        if (reader != s && readsBefore(reader) != s) continue;
        const int later = steps_[std::size_t(reader)].stage - steps_[std::size_t(s)].stage;
        for (int writer : needs_[std::size_t(reader)]) wait.uses.push_back({writer, reader, later});
      }
      if (waiting && wait.allow >= allowed) {  // the wait before covers it
        auto& uses = turn[*waiting].wait->uses;
        uses.insert(uses.end(), wait.uses.begin(), wait.uses.end());
      } else {
        waiting = turn.size();
        allowed = wait.allow;
        act.wait = std::move(wait);
      }
    }
    allowed += act.commit;
    turn.push_back(std::move(act));
  }
  return turn;
}

int Timetable::readsBefore(int step) const {
  const auto& reads = needs_[std::size_t(step)];
  int first = -1;
  for (int s = 0; s < int(steps_.size()); ++s) {
    const bool all =
        std::ranges::all_of(reads, [&](int w) { return std::ranges::count(needs_[std::size_t(s)], w) > 0; });
    const int bound = steps_[std::size_t(first < 0 ? step : first)].stage;
    if (all && !reads.empty() && steps_[std::size_t(s)].stage < bound) first = s;
  }
  return first;
}

int Timetable::groupOf(int step) const {
  const int size = int(steps_.size());
  const int stage = steps_[std::size_t(step)].stage;
  // One that waits itself begins a group of its own.
  auto joins = [&](std::size_t next) {
    return steps_[next].async && steps_[next].stage == stage && needs_[next].empty();
  };
  while (step + 1 < size && joins(std::size_t(step) + 1)) ++step;
  return step;
}

bool Timetable::commits(int step, std::int64_t t, std::int64_t extent) const {
  const Step& s = steps_[std::size_t(step)];
  return s.async && groupOf(step) == step && t >= 0 && t < extent + s.stage;
}

int Timetable::groupsSince(int writer, int reader, std::int64_t t, std::int64_t extent) const {
  const std::int64_t started = t - turnsUntil(writer, reader);
  int count = 0;
  forEachBetween(writer, reader, [&](int step, int turn) { count += commits(step, started + turn, extent); });
  return count;
}

int Timetable::turnsUntil(int writer, int reader) const {
  return steps_[std::size_t(reader)].stage - steps_[std::size_t(writer)].stage;
}

void Timetable::forEachBetween(int writer, int reader, const std::function<void(int step, int turn)>& use) const {
  const int size = int(steps_.size()), last = turnsUntil(writer, reader);
  for (int turn = 0; turn <= last; ++turn)
    for (int step = turn > 0 ? 0 : groupOf(writer) + 1; step < (turn < last ? size : reader); ++step) use(step, turn);
}

}  // namespace loom::lower
