#include "core/tune/search/winner_path.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/model/model.h"
#include "core/tune/rules/state_reading.h"

namespace loom::tune {

namespace {

constexpr double kNoTime = std::numeric_limits<double>::infinity();

// One step of a path: from `at` towards the winner.
struct Move {
  std::vector<int> decisions;
  Assignment to;
};

// All groups of `size` of the decisions, in order, while `visit` returns true.
void groupsOf(const std::vector<int>& decisions, std::size_t size,
              const std::function<bool(const std::vector<int>&)>& visit) {
  std::vector<std::size_t> chosen(size);
  for (std::size_t n = 0; n < size; ++n) chosen[n] = n;
  for (;;) {
    std::vector<int> group;
    for (std::size_t n : chosen) group.push_back(decisions[n]);
    if (!visit(group)) return;
    std::size_t at = size;
    while (at > 0 && chosen[at - 1] == decisions.size() - size + at - 1) --at;
    if (at == 0) return;
    ++chosen[at - 1];
    for (std::size_t n = at; n < size; ++n) chosen[n] = chosen[n - 1] + 1;
  }
}

// Why the first of several decisions doesn't change alone.
Message whyTogether(PathStates& states, const Assignment& at, const Move& move) {
  if (move.decisions.size() < 2) return {};
  Message reason;
  for (const int d : move.decisions) {
    Assignment alone = at;
    alone[std::size_t(d)] = move.to[std::size_t(d)];
    const Constraint* broken = brokenBy(states.sketch().space, alone);
    if (broken != nullptr) return broken->words;
    if (const auto& state = states.of(alone); !state) reason = state.error().message;
  }
  return reason;
}

// The values of the schedule that is constructed of a sketch: what a person gets without a search. Where it makes no
// kernel, a path may begin at what the formulas alone give.
Result<Assignment> constructedOf(const PreparedSearch& prepared, int sketch) {
  const auto built = std::ranges::find(prepared.built, sketch, [](const Built& b) { return b.construction.sketch; });
  if (built != prepared.built.end()) return built->construction.assignment;
  auto constructed = construct(prepared.plan, sketch, prepared.device);
  if (!constructed) return Failure(constructed.error());
  return std::move(constructed->assignment);
}

// Of those that make a kernel the one that is predicted to be the fastest; null if none does.
const Move* fastestOf(PathStates& states, const std::vector<Move>& moves) {
  std::vector<Assignment> assignments;
  for (const Move& move : moves) assignments.push_back(move.to);
  states.make(assignments);
  const Move* best = nullptr;
  double least = kNoTime;
  for (const Move& move : moves) {
    const auto& state = states.of(move.to);
    if (!state) continue;
    if (const double time = state->predicted.value_or(kNoTime); best == nullptr || time < least) {
      best = &move;
      least = time;
    }
  }
  return best;
}

// The best of the smallest moves towards the winner that are possible.
Move nextMove(PathStates& states, const Assignment& at, const Assignment& winner) {
  constexpr int kMostGroups = 20000;
  std::vector<int> differing;
  for (std::size_t d = 0; d < at.size(); ++d)
    if (at[d] != winner[d]) differing.push_back(int(d));
  int looked = 0;
  for (std::size_t size = 1; size < differing.size() && looked < kMostGroups; ++size) {
    std::vector<Move> moves;
    groupsOf(differing, size, [&](const std::vector<int>& group) {
      Move move{group, at};
      for (int d : group) move.to[std::size_t(d)] = winner[std::size_t(d)];
      if (brokenBy(states.sketch().space, move.to) == nullptr) moves.push_back(std::move(move));
      return ++looked < kMostGroups;
    });
    if (const Move* best = fastestOf(states, moves)) return *best;
  }
  return {differing, winner};
}

// The winner with another value of a decision: alone, or else with one more that makes it a schedule.
NeighbourValue neighbourOf(PathStates& states, const Assignment& winner, int decision, std::int64_t value) {
  const Space& space = states.sketch().space;
  NeighbourValue neighbour{value, -1, {}, {}};
  Assignment alone = winner;
  alone[std::size_t(decision)] = value;
  const Constraint* broken = brokenBy(space, alone);
  std::vector<Move> moves;
  if (broken == nullptr) {
    moves.push_back({{decision}, alone});
  } else {
    neighbour.problem = broken->words;
    for (int other = 0; other < int(space.decisions.size()); ++other) {
      if (other == decision) continue;
      for (const std::int64_t changed : space.decisions[std::size_t(other)].values) {
        Move move{{decision, other}, alone};
        move.to[std::size_t(other)] = changed;
        if (brokenBy(space, move.to) == nullptr) moves.push_back(std::move(move));
      }
    }
  }
  if (const Move* best = fastestOf(states, moves)) {
    neighbour.state = *states.of(best->to);
    neighbour.with = best->decisions.size() > 1 ? best->decisions.back() : -1;
    neighbour.problem = {};
  } else if (!moves.empty()) {
    neighbour.problem = states.of(moves.front().to).error().message;
  }
  return neighbour;
}

}  // namespace

std::optional<double> WinnerPath::timeOf(std::size_t state) const {
  return isMeasured ? states[state].measured : states[state].predicted;
}
std::optional<double> WinnerPath::gainOf(std::size_t step) const {
  const auto before = timeOf(step), after = timeOf(step + 1);
  return before && after ? std::optional(*before / *after) : std::nullopt;
}
std::optional<double> WinnerPath::gain() const {
  const auto before = timeOf(0), after = timeOf(states.size() - 1);
  return before && after ? std::optional(*before / *after) : std::nullopt;
}

std::optional<double> WinnerPath::timeOfOwn() const {
  return !own ? std::nullopt : isMeasured ? own->measured : own->predicted;
}

Result<WinnerPath> pathTo(const PreparedSearch& prepared, const schedule::State& start,
                          const schedule::Environment& environment, int sketch, const Assignment& winner,
                          const OwnProgram& own) {
  PathStates states(prepared, start, environment, sketch);
  const auto& last = states.of(winner);
  if (!last) return Failure(last.error());
  WinnerPath path;
  path.sketch = sketch;
  Assignment at;
  if (!own.lines.empty() && own.state && own.kernel) {
    if (auto from = assignmentOf(states, winner, own)) {
      path.isFromOwn = true;
      at = std::move(*from);
      if (const auto built = constructedOf(prepared, sketch))
        if (const auto& state = states.of(*built)) path.construction = *state;
    } else {
      path.own = OffPath{own.kernel, {}, {}, from.error().message, {}};
      if (const auto time = predictedTime(*own.kernel, prepared.device)) path.own->predicted = *time;
      for (const auto& [name, value] : decisionsOf(states.sketch(), own.lines, start, *own.state))
        if (const int d = decisionNamed(states.sketch().space, name); d >= 0) path.own->values[d] = value;
    }
  }
  if (!path.isFromOwn) {
    auto constructed = constructedOf(prepared, sketch);
    if (!constructed) return Failure(constructed.error());
    at = std::move(*constructed);
  }
  const auto& first = states.of(at);
  if (!first) return Failure(first.error());
  path.states.push_back(*first);
  while (at != winner) {
    Move move = nextMove(states, at, winner);
    path.steps.push_back({move.decisions, whyTogether(states, at, move)});
    at = std::move(move.to);
    path.states.push_back(*states.of(at));
  }
  return path;
}

Result<double> measurePath(WinnerPath& path, std::vector<DecisionWorth>& worth, Measurer& measurer,
                           const gpu::Progress& progress) {
  // Two states may have one kernel, which is measured once.
  Measurer::Kernels kernels;
  std::map<std::string, std::size_t> byKey;
  const auto add = [&](const auto& state) {
    if (byKey.emplace(state.kernel->key, kernels.size()).second) kernels.push_back(state.kernel);
  };
  for (const PathState& state : path.states) add(state);
  if (path.construction) add(*path.construction);
  if (path.own) add(*path.own);
  for (const DecisionWorth& one : worth)
    for (const NeighbourValue& value : one.values)
      if (value.state) add(*value.state);
  const auto batch = measurer.measure(kernels, true, progress);
  if (!batch) return Failure(batch.error());
  const auto resultOf = [&](const auto& state) -> const MeasuredKernel& {
    return batch->kernels[byKey.at(state.kernel->key)];
  };
  for (const PathState* end : {&path.states.front(), &path.states.back()})
    if (const MeasuredKernel& result = resultOf(*end); !result.timing) return Failure(*result.death);
  WinnerPath timed{path.sketch, path.isFromOwn, {}, {}, true, std::move(path.construction), std::move(path.own)};
  if (timed.construction)
    if (const MeasuredKernel& result = resultOf(*timed.construction); result.timing)
      timed.construction->measured = result.timing->median;
  if (timed.own) {
    const MeasuredKernel& result = resultOf(*timed.own);
    if (result.timing) timed.own->measured = result.timing->median;
    if (!result.timing) timed.own->failure = result.death->message;
  }
  PathStep step;
  for (std::size_t n = 0; n < path.states.size(); ++n) {
    if (n > 0) {
      const PathStep& here = path.steps[n - 1];
      step.decisions.insert(step.decisions.end(), here.decisions.begin(), here.decisions.end());
      if (step.together.empty()) step.together = here.together;
    }
    const MeasuredKernel& result = resultOf(path.states[n]);
    if (!result.timing) {
      step.together = result.death->message;
      continue;
    }
    timed.states.push_back(path.states[n]);
    timed.states.back().measured = result.timing->median;
    if (n == 0) continue;
    std::ranges::sort(step.decisions);
    timed.steps.push_back(std::exchange(step, {}));
  }
  path = std::move(timed);
  for (DecisionWorth& one : worth)
    for (NeighbourValue& value : one.values) {
      if (!value.state) continue;
      const MeasuredKernel& result = resultOf(*value.state);
      if (result.timing) {
        value.state->measured = result.timing->median;
      } else {
        value.problem = result.death->message;
      }
    }
  return batch->deviceSeconds;
}

void joinDetours(WinnerPath& path, const Space& space) {
  constexpr double kLoss = 0.97;
  if (!path.isMeasured) return;
  for (std::size_t n = 0; n < path.steps.size(); ++n) {
    const auto loss = path.gainOf(n);
    if (!loss || *loss > kLoss) continue;
    double gain = *loss;
    std::size_t last = n + 1;
    while (last < path.steps.size() && gain < 1) gain *= path.gainOf(last++).value_or(0);
    if (gain < 1) continue;
    PathStep& step = path.steps[n];
    Message slower = space.decisions[std::size_t(step.decisions.front())].words;
    for (std::size_t d = 1; d < step.decisions.size(); ++d)
      slower = message("{}, {}", std::move(slower), space.decisions[std::size_t(step.decisions[d])].words);
    step.together = message("{} alone makes it slower, {:.3g} µs, which the others win back", std::move(slower),
                            *path.timeOf(n + 1));
    for (std::size_t later = n + 1; later < last; ++later)
      step.decisions.insert(step.decisions.end(), path.steps[later].decisions.begin(),
                            path.steps[later].decisions.end());
    std::ranges::sort(step.decisions);
    step.decisions.erase(std::unique(step.decisions.begin(), step.decisions.end()), step.decisions.end());
    const auto at = [](auto& list, std::size_t index) { return list.begin() + std::ptrdiff_t(index); };
    path.steps.erase(at(path.steps, n + 1), at(path.steps, last));
    path.states.erase(at(path.states, n + 1), at(path.states, last));
  }
}

std::vector<DecisionWorth> worthOfDecisions(const PreparedSearch& prepared, const schedule::State& start,
                                            const schedule::Environment& environment, const WinnerPath& path) {
  PathStates states(prepared, start, environment, path.sketch);
  const Space& space = states.sketch().space;
  const Assignment& winner = path.states.back().assignment;
  std::vector<DecisionWorth> all;
  for (int d = 0; d < int(space.decisions.size()); ++d) {
    const auto& values = space.decisions[std::size_t(d)].values;
    const int at = valueIndexOf(space.decisions[std::size_t(d)], winner[std::size_t(d)]);
    DecisionWorth worth{d, {}};
    for (int n : {at - 1, at + 1})
      if (n >= 0 && n < int(values.size()))
        worth.values.push_back(neighbourOf(states, winner, d, values[std::size_t(n)]));
    if (!worth.values.empty()) all.push_back(std::move(worth));
  }
  return all;
}

std::vector<model::Advice> whatBinds(const document::KernelText& kernel, const model::Device& device) {
  std::vector<model::Advice> advice;
  double slowest = -1;
  for (const device::Kernel& k : kernel.program->kernels) {
    const model::KernelModel made = model::modelOf(k, device);
    if (!made.estimate || made.estimate->microseconds <= slowest) continue;
    slowest = made.estimate->microseconds;
    advice = model::adviceOn(made, device);
  }
  return advice;
}

}  // namespace loom::tune
