#include "core/tune/rules/configured.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/lesson.h"
#include "core/script/line_diff.h"

namespace loom::tune {

namespace {

constexpr std::string_view kWhen = "  # when ";

}  // namespace

Result<Sketch> sketchOf(const document::Configurations& configurations, const std::string& language) {
  Sketch sketch;
  sketch.name = configurations.name;
  for (const document::ConfiguredDecision& one : configurations.decisions) {
    sketch.space.decisions.push_back({one.name, verbatim(document::in(one.words, language)), one.values});
  }
  if (const auto problem = problemOf(sketch.space)) return Failure(*problem);
  for (const std::string& line : script::splitLines(configurations.lines)) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t when = line.find(kWhen);
    sketch.lines.push_back({line.substr(0, when), when == std::string::npos ? "" : line.substr(when + kWhen.size())});
  }
  sketch.folds.push_back({sketch.name, "", 0, static_cast<int>(sketch.lines.size())});
  const auto first = linesOf(sketch, assignmentOf(sketch.space, std::vector<int>(sketch.space.decisions.size(), 0)));
  if (!first) return Failure(first.error());
  return sketch;
}

std::vector<Assignment> allSchedules(const Space& space) {
  std::vector<Assignment> all;
  std::vector<int> at(space.decisions.size(), 0);
  for (bool more = !at.empty(); more;) {
    Assignment schedule = assignmentOf(space, at);
    if (brokenBy(space, schedule) == nullptr) all.push_back(std::move(schedule));
    more = false;
    for (std::size_t d = at.size(); d-- > 0 && !more;) {
      more = ++at[d] < static_cast<int>(space.decisions[d].values.size());
      if (!more) at[d] = 0;
    }
  }
  return all;
}

std::string nameOf(const Space& space, const Assignment& schedule) {
  std::string name;
  for (std::size_t d = 0; d < schedule.size(); ++d) {
    name += fmt::format("{}{}={}", name.empty() ? "" : " ", space.decisions[d].name, schedule[d]);
  }
  return name;
}

}  // namespace loom::tune
