#include "core/tune/rebuilt_step.h"

#include <algorithm>
#include <set>

#include "core/script/line_diff.h"
#include "core/tune/rules/built.h"

namespace loom::tune {

std::optional<CandidateStep> rebuiltStep(const document::History& history, int node, int base, const Sketch& sketch,
                                         const Assignment& assignment, std::vector<PipelineMove> moves,
                                         std::vector<std::string> primitives,
                                         const schedule::Environment& environment) {
  auto lines = linesOf(sketch, assignment);
  if (!lines) return std::nullopt;
  auto made = madeByLines(history.node(base).state, *lines, environment);
  if (!made) return std::nullopt;
  const std::vector<int> path = history.path(node);
  CandidateStep step{base,
                     base == node ? -1 : *(std::ranges::find(path, base) + 1),
                     *lines,
                     {},
                     std::move(primitives),
                     {},
                     std::move(made->state),
                     1,
                     1,
                     false,
                     std::move(moves),
                     int(quantityOf(sketch, "stages", assignment).value_or(1))};
  std::set<std::string> past;
  for (const int at : path)
    for (const auto* of : {&history.node(at).lines, &history.node(at).trailing})
      for (const document::Line& line : *of) past.insert(line.source);
  for (const std::string& line : script::splitLines(*lines))
    if (!past.contains(line)) step.step += (step.step.empty() ? "" : "\n") + line;
  countThreads(step);
  return step;
}

}  // namespace loom::tune
