#include "core/tune/search/winner_path.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "core/model/model.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/search/on_all_cores.h"

namespace loom::tune {

namespace {

constexpr double kNoTime = std::numeric_limits<double>::infinity();

const Constraint* brokenBy(const Space& space, const Assignment& assignment) {
  for (const Constraint& c : space.constraints)
    if (!holds(c, assignment)) return &c;
  return nullptr;
}

// Makes states of assignments of one sketch, each once.
class States {
 public:
  States(const PreparedSearch& prepared, const schedule::State& start, const schedule::Environment& environment,
         int sketch)
      : prepared_(prepared), start_(start), environment_(environment), sketch_(sketchOf(prepared, sketch)) {}

  const Sketch& sketch() const { return sketch_; }

  void make(const std::vector<Assignment>& assignments) {
    std::vector<Assignment> unknown;
    for (const Assignment& a : assignments)
      if (!made_.contains(a)) unknown.push_back(a);
    std::vector<std::optional<Result<PathState>>> results(unknown.size());
    onAllCores(unknown.size(), [&](std::size_t n) { results[n] = stateOf(unknown[n]); });
    for (std::size_t n = 0; n < unknown.size(); ++n) made_.emplace(unknown[n], std::move(*results[n]));
  }
  const Result<PathState>& of(const Assignment& assignment) {
    make({assignment});
    return made_.at(assignment);
  }

 private:
  static const Sketch& sketchOf(const PreparedSearch& prepared, int sketch) {
    return prepared.plan.sketches[std::size_t(sketch)];
  }
  Result<PathState> stateOf(const Assignment& assignment) const {
    auto lines = linesOf(sketch_, assignment);
    if (!lines) return Failure(lines.error());
    auto made = madeByLines(start_, *lines, environment_);
    if (!made) return Failure(made.error());
    PathState state{assignment, std::move(*lines), {}, {}, {}};
    if (const auto time = predictedTime(made->kernel, prepared_.device)) state.predicted = *time;
    state.kernel = std::make_shared<const document::KernelText>(std::move(made->kernel));
    return state;
  }

  const PreparedSearch& prepared_;
  const schedule::State& start_;
  const schedule::Environment& environment_;
  const Sketch& sketch_;
  std::map<Assignment, Result<PathState>> made_;
};

// The person's schedule as one of the sketch, if it makes the very same kernel. What its lines don't tell is as the
// winner has it.
std::optional<Assignment> ownIn(States& states, const Assignment& winner, const OwnProgram& own) {
  const Space& space = states.sketch().space;
  const auto told = decisionsIn(states.sketch(), own.lines);
  if (told.empty() || own.key.empty()) return std::nullopt;
  Assignment assignment = winner;
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    const auto value = told.find(space.decisions[d].name);
    if (value != told.end()) assignment[d] = value->second;
    if (valueIndexOf(space.decisions[d], assignment[d]) < 0) return std::nullopt;
  }
  if (brokenBy(space, assignment) != nullptr) return std::nullopt;
  const auto& state = states.of(assignment);
  return state && state->kernel->key == own.key ? std::optional(assignment) : std::nullopt;
}

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

// The best of the smallest moves that are possible, and why none is smaller.
std::pair<Move, Message> nextMove(States& states, const Assignment& at, const Assignment& winner) {
  constexpr int kMostGroups = 20000;
  const Space& space = states.sketch().space;
  std::vector<int> differing;
  for (std::size_t d = 0; d < at.size(); ++d)
    if (at[d] != winner[d]) differing.push_back(int(d));
  Message reason;
  int looked = 0;
  for (std::size_t size = 1; size < differing.size() && looked < kMostGroups; ++size) {
    std::vector<Move> moves;
    groupsOf(differing, size, [&](const std::vector<int>& group) {
      Move move{group, at};
      for (int d : group) move.to[std::size_t(d)] = winner[std::size_t(d)];
      if (const Constraint* broken = brokenBy(space, move.to)) {
        if (reason.empty()) reason = broken->words;
      } else {
        moves.push_back(std::move(move));
      }
      return ++looked < kMostGroups;
    });
    std::vector<Assignment> assignments;
    for (const Move& move : moves) assignments.push_back(move.to);
    states.make(assignments);
    const Move* best = nullptr;
    double least = kNoTime;
    for (const Move& move : moves) {
      const auto& state = states.of(move.to);
      if (!state) {
        if (reason.empty()) reason = state.error().message;
        continue;
      }
      if (const double time = state->predicted.value_or(kNoTime); best == nullptr || time < least) {
        best = &move;
        least = time;
      }
    }
    if (best != nullptr) return {*best, size > 1 ? reason : Message()};
  }
  return {{differing, winner}, differing.size() > 1 ? reason : Message()};
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

Result<WinnerPath> pathTo(const PreparedSearch& prepared, const schedule::State& start,
                          const schedule::Environment& environment, int sketch, const Assignment& winner,
                          const OwnProgram& own) {
  States states(prepared, start, environment, sketch);
  const auto& last = states.of(winner);
  if (!last) return Failure(last.error());
  WinnerPath path;
  path.sketch = sketch;
  std::optional<Assignment> from = ownIn(states, winner, own);
  path.isFromOwn = from.has_value();
  if (!from) {
    auto constructed = construct(prepared.plan, sketch, prepared.device);
    if (!constructed) return Failure(constructed.error());
    from = std::move(constructed->assignment);
  }
  Assignment at = *from;
  const auto& first = states.of(at);
  if (!first) return Failure(first.error());
  path.states.push_back(*first);
  while (at != winner) {
    auto [move, reason] = nextMove(states, at, winner);
    at = move.to;
    path.states.push_back(*states.of(at));
    path.steps.push_back({std::move(move.decisions), std::move(reason)});
  }
  return path;
}

Result<double> measurePath(WinnerPath& path, std::vector<DecisionWorth>& worth, Measurer& measurer,
                           const gpu::Progress& progress) {
  // Two states may have one kernel, which is measured once.
  Measurer::Kernels kernels;
  std::map<std::string, std::size_t> byKey;
  const auto add = [&](const PathState& state) {
    if (byKey.emplace(state.kernel->key, kernels.size()).second) kernels.push_back(state.kernel);
  };
  for (const PathState& state : path.states) add(state);
  for (const DecisionWorth& one : worth)
    for (const NeighbourValue& value : one.values)
      if (value.state) add(*value.state);
  const auto batch = measurer.measure(kernels, true, progress);
  if (!batch) return Failure(batch.error());
  const auto resultOf = [&](const PathState& state) -> const MeasuredKernel& {
    return batch->kernels[byKey.at(state.kernel->key)];
  };
  if (!resultOf(path.states.front()).timing || !resultOf(path.states.back()).timing) return batch->deviceSeconds;
  WinnerPath timed{path.sketch, path.isFromOwn, {}, {}, true};
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

std::vector<DecisionWorth> worthOfDecisions(const PreparedSearch& prepared, const schedule::State& start,
                                            const schedule::Environment& environment, const WinnerPath& path) {
  States states(prepared, start, environment, path.sketch);
  const Space& space = states.sketch().space;
  const Assignment& winner = path.states.back().assignment;
  std::vector<DecisionWorth> all;
  std::vector<Assignment> possible;
  const auto with = [&](int decision, std::int64_t value) {
    Assignment other = winner;
    other[std::size_t(decision)] = value;
    return other;
  };
  for (int d = 0; d < int(space.decisions.size()); ++d) {
    const auto& values = space.decisions[std::size_t(d)].values;
    const int at = valueIndexOf(space.decisions[std::size_t(d)], winner[std::size_t(d)]);
    DecisionWorth worth{d, {}};
    for (int n : {at - 1, at + 1}) {
      if (n < 0 || n >= int(values.size())) continue;
      NeighbourValue value{values[std::size_t(n)], {}, {}};
      if (const Constraint* broken = brokenBy(space, with(d, value.value))) {
        value.problem = broken->words;
      } else {
        possible.push_back(with(d, value.value));
      }
      worth.values.push_back(std::move(value));
    }
    if (!worth.values.empty()) all.push_back(std::move(worth));
  }
  states.make(possible);
  for (DecisionWorth& worth : all)
    for (NeighbourValue& value : worth.values) {
      if (!value.problem.empty()) continue;
      const auto& state = states.of(with(worth.decision, value.value));
      if (state) {
        value.state = *state;
      } else {
        value.problem = state.error().message;
      }
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
