#include "core/tune/rules/prepared_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/schedule/replay.h"

namespace loom::tune {

bool PreparedProgram::apply(const char* number, const char* rule, const std::string& block,
                            const std::vector<std::string>& more, const Message& why,
                            const schedule::Environment& environment) {
  const auto calls = script::parseSchedule(fmt::format("{}\n", fmt::join(more, "\n")), "");
  if (more.empty() || !calls) return false;
  schedule::ReplayEnd replayed = schedule::replayToEnd(state, *calls, environment);
  if (replayed.refusal) return false;
  state = std::move(replayed.last);
  folds.push_back({rule, block, int(lines.size()), int(more.size())});
  lines.insert(lines.end(), more.begin(), more.end());
  rows.push_back({block, number, rule, true, why});
  return true;
}

void PreparedProgram::append(PreparedProgram&& more) {
  for (SketchFold& fold : more.folds) fold.first += int(lines.size());
  state = std::move(more.state);
  lines.insert(lines.end(), more.lines.begin(), more.lines.end());
  folds.insert(folds.end(), more.folds.begin(), more.folds.end());
  rows.insert(rows.end(), more.rows.begin(), more.rows.end());
}

void PreparedProgram::writeBefore(RulePlan& plan) const {
  for (Sketch& sketch : plan.sketches) {
    for (SketchFold& fold : sketch.folds) fold.first += int(lines.size());
    sketch.folds.insert(sketch.folds.begin(), folds.begin(), folds.end());
    for (std::size_t l = lines.size(); l-- > 0;) sketch.lines.insert(sketch.lines.begin(), {lines[l], ""});
  }
  for (std::vector<PlanRow>& rowsOfOne : plan.rowsOf) rowsOfOne.insert(rowsOfOne.begin(), rows.begin(), rows.end());
  plan.rows.insert(plan.rows.begin(), rows.begin(), rows.end());
}

std::optional<std::map<std::string, ir::Id>> blocksByName(const schedule::State& state) {
  std::map<std::string, ir::Id> all;
  for (const schedule::Tree::Node& node : state.tree().nodes())
    if (node.isBlock && node.parent != schedule::Tree::kNone &&
        !all.emplace(state.tree().block(node.id)->name, node.id).second)
      return std::nullopt;
  return all;
}

}  // namespace loom::tune
