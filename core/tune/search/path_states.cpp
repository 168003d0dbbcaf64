#include "core/tune/search/path_states.h"

#include "core/process/on_all_cores.h"

namespace loom::tune {

void PathStates::make(const std::vector<Assignment>& assignments) {
  std::vector<Assignment> unknown;
  for (const Assignment& a : assignments)
    if (!made_.contains(a)) unknown.push_back(a);
  std::vector<std::optional<Result<PathState>>> results(unknown.size());
  process::onAllCores(unknown.size(), [&](std::size_t n) { results[n] = stateOf(unknown[n]); });
  for (std::size_t n = 0; n < unknown.size(); ++n) made_.emplace(unknown[n], std::move(*results[n]));
}

const Result<PathState>& PathStates::of(const Assignment& assignment) {
  make({assignment});
  return made_.at(assignment);
}

Result<PathState> PathStates::stateOf(const Assignment& assignment) const {
  auto lines = linesOf(sketch_, assignment);
  if (!lines) return Failure(lines.error());
  auto made = madeByLines(start_, *lines, environment_);
  if (!made) return Failure(made.error());
  PathState state{assignment, std::move(*lines), {}, {}, {}};
  if (const auto time = predictedTime(made->kernel, prepared_.device)) state.predicted = *time;
  state.kernel = std::make_shared<const document::KernelText>(std::move(made->kernel));
  return state;
}

}  // namespace loom::tune
