#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/setup.h"
#include "app/cli/table.h"
#include "app/cli/verb_list.h"
#include "app/text/messages.h"
#include "core/tune/rules/built.h"
#include "core/tune/space/pinned_counts.h"

namespace loom::cli {
namespace {

using nlohmann::ordered_json;

struct TuneOptions {
  TargetWords target;
  bool rulesOnly = false;
};

const char* nameOf(Forbids forbids) {
  switch (forbids) {
    case Forbids::Program: return "program";
    case Forbids::Hardware: return "hardware";
    case Forbids::Tvm: return "tvm";
    case Forbids::Input: return "input";
    case Forbids::Environment: break;
  }
  return "environment";
}

// What rules make of a program, counted, and the schedules built of it.
struct Prepared {
  model::Device device;
  tune::RulePlan plan;
  std::vector<tune::Built> built;                     // the best first
  std::vector<std::optional<tune::Diagram>> counted;  // of each sketch; nothing: too large to be counted
};

Result<Prepared> prepare(const document::Target& target, const Setup& setup, const CommonOptions& common) {
  document::Bench bench(benchOptions(setup, common, false));
  auto device = modelDevice(setup, common, bench);
  if (!device) return Failure(device.error());
  const schedule::Environment environment = document::environmentOf(target, setup.environment());
  const schedule::State& state = target.history.node(0).state;
  auto plan = tune::sketchOf(state, *device, *environment.intrinsics);
  if (!plan) return Failure(plan.error());
  auto built = tune::buildAll(*plan, state, *device, environment);
  if (!built) return Failure(built.error());
  Prepared p{std::move(*device), std::move(*plan), std::move(*built), {}};
  for (const tune::Sketch& sketch : p.plan.sketches) {
    auto diagram = tune::Diagram::of(sketch.space);
    p.counted.push_back(diagram ? std::optional(std::move(*diagram)) : std::nullopt);
  }
  return p;
}

// A count as a number; past 64 bits as a floating-point one.
ordered_json numberOf(tune::Count count) {
  if (count <= std::numeric_limits<std::uint64_t>::max()) return std::uint64_t(count);
  return double(count);
}

std::optional<tune::Count> sumOf(const Prepared& p) {
  tune::Count sum = 0;
  for (const auto& diagram : p.counted)
    if (!diagram || !tune::add(sum, diagram->count())) return std::nullopt;
  return sum;
}

ordered_json spaceJson(const Prepared& p) {
  const auto sum = sumOf(p);
  const auto best = std::size_t(p.built.front().construction.sketch);
  const tune::Sketch& sketch = p.plan.sketches[best];
  const auto& diagram = p.counted[best];
  ordered_json space;
  space["schedules"] = sum ? numberOf(*sum) : ordered_json();
  if (!sum) space["counted"] = false;
  for (std::size_t n = 0; n < p.plan.sketches.size(); ++n) {
    const auto& counted = p.counted[n];
    space["sketches"].push_back(
        {{"name", p.plan.sketches[n].name}, {"schedules", counted ? numberOf(counted->count()) : ordered_json()}});
  }
  space["sketch"] = sketch.name;
  space["decisions"] = space["constraints"] = ordered_json::array();
  std::vector<std::vector<tune::Count>> counts;
  if (diagram) counts = tune::PinnedCounts(*diagram).marginals();
  for (std::size_t d = 0; d < sketch.space.decisions.size(); ++d) {
    const tune::Decision& decision = sketch.space.decisions[d];
    ordered_json values = ordered_json::array();
    for (std::size_t v = 0; v < decision.values.size(); ++v)
      values.push_back(
          {{"value", decision.values[v]}, {"schedules", diagram ? numberOf(counts[d][v]) : ordered_json()}});
    space["decisions"].push_back({{"name", decision.name}, {"words", decision.words.english()}, {"values", values}});
  }
  for (const tune::Constraint& c : sketch.space.constraints)
    space["constraints"].push_back({{"name", c.name}, {"words", c.words.english()}, {"forbids", nameOf(c.forbids)}});
  return {{"space", space}};
}

std::vector<std::string> linesOf(const tune::Built& built) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < built.lines.size();) {
    const std::size_t end = built.lines.find('\n', at);
    lines.push_back(built.lines.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void printJsonOf(const Prepared& p) {
  printJson(spaceJson(p));
  for (const tune::PlanRow& row : p.plan.rows)
    printJson({{"rule",
                {{"number", row.number},
                 {"name", row.rule},
                 {"block", row.block},
                 {"applied", row.applied},
                 {"why", row.why.english()}}}});
  const tune::Built& best = p.built.front();
  for (const tune::ConstructionStep& step : best.construction.steps)
    printJson({{"step",
                {{"decisions", step.decisions},
                 {"values", step.values},
                 {"words", step.words.english()},
                 {"reason", step.reason.english()}}}});
  ordered_json j = {{"steps", linesOf(best)},
                    {"sketch", p.plan.sketches[std::size_t(best.construction.sketch)].name},
                    {"device", p.device.id}};
  if (best.microseconds) {
    j["predicted_us"] = *best.microseconds;
  } else {
    j["unpredicted"] = best.unpredicted.english();
  }
  printJson({{"best", j}});
}

void printText(const Prepared& p, const std::string& language) {
  const auto inWords = [&](const Message& message) {
    return text::wordsOf(language == "zh" ? text::Language::kChinese : text::Language::kEnglish, message);
  };
  for (const tune::PlanRow& row : p.plan.rows)
    fmt::print("{} {} {} {}: {}\n", row.applied ? "✓" : "·", padded(row.number, 4, false), padded(row.rule, 22, false),
               row.block, inWords(row.why));
  for (std::size_t n = 0; n < p.plan.sketches.size(); ++n) {
    const tune::Sketch& sketch = p.plan.sketches[n];
    fmt::print("{} schedules of {} decisions: {}\n",
               p.counted[n] ? tune::digitsOf(p.counted[n]->count()) : std::string("not counted;"),
               sketch.space.decisions.size(), sketch.name);
  }
  const tune::Built& best = p.built.front();
  for (std::size_t n = 0; n < best.construction.steps.size(); ++n)
    fmt::print("{}. {}: {}\n", n + 1, inWords(best.construction.steps[n].words),
               inWords(best.construction.steps[n].reason));
  for (const tune::Built& other : p.built)
    fmt::print("{}: {}\n", p.plan.sketches[std::size_t(other.construction.sketch)].name,
               other.microseconds ? "predicted " + micros(*other.microseconds) + " on " + p.device.name
                                  : inWords(other.unpredicted));
  fmt::print("\n{}", best.lines);
}

ExitStatus run(const TuneOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  auto prepared = prepare(*target, *setup, common);
  if (!prepared) return report(prepared.error());
  if (common.json) {
    printJsonOf(*prepared);
  } else {
    printText(*prepared, languageOf(common));
  }
  return ExitStatus::kDone;
}

}  // namespace

Action declareTune(CLI::App& command, const Context& context) {
  auto options = std::make_shared<TuneOptions>();
  addTarget(command, options->target);
  command.add_flag("--rules-only", options->rulesOnly, "Stop at the schedule that the rules construct; needs no GPU");
  return [options, &context] { return run(*options, context.common); };
}

}  // namespace loom::cli
