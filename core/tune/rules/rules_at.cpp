#include "core/tune/rules/rules_at.h"

#include <algorithm>
#include <limits>

#include "core/schedule/replay.h"
#include "core/script/line_diff.h"
#include "core/tune/rules/own_rule_names.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/space/descent.h"
#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

namespace {

// A line that only looks something up.
bool isNaming(std::string_view line) {
  return line.find("= sch.get_") != std::string_view::npos || line.find("sch.") == std::string_view::npos;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text;
  return all;
}

// How many lines of `written` the lines taken are; nothing where they are not its beginning.
std::optional<std::size_t> followed(const std::vector<std::string>& written, const std::vector<std::string>& taken) {
  if (taken.size() > written.size() || !std::equal(taken.begin(), taken.end(), written.begin())) return std::nullopt;
  return taken.size();
}

// Pins to values as far as they go together, in their order.
void pinWhatGoes(Pins& pins, const Space& space, const std::map<std::string, std::int64_t>& values) {
  for (const auto& [name, value] : values) {
    const int d = decisionNamed(space, name);
    const int index = d < 0 ? -1 : valueIndexOf(space.decisions[std::size_t(d)], value);
    if (index < 0 || !pins.allows(d, index)) continue;
    Pins more = pins;
    more.limitTo(d, {value});
    CountLimits limits;
    limits.seconds = 0.05;
    const auto some = Descent(space, more).first(limits);
    if (some && *some) pins = std::move(more);
  }
}

// A schedule of a sketch whose first lines are those taken: what is read out of them, and values for the rest.
std::optional<std::map<std::string, std::int64_t>> valuesTaken(const Sketch& sketch,
                                                               const std::vector<std::string>& taken) {
  const auto values = decisionsIn(sketch, taken);
  Pins pins(sketch.space);
  for (const auto& [name, value] : values) {
    const int d = decisionNamed(sketch.space, name);
    pins.limitTo(d, {value});
  }
  const auto some = Descent(sketch.space, pins).first();
  if (!some || !*some) return std::nullopt;
  const auto lines = linesOf(sketch, **some);
  if (!lines || !followed(script::splitLines(*lines), taken)) return std::nullopt;
  return values;
}

struct Found {
  std::shared_ptr<const BuiltPlan> built;
  int base = 0, sketch = 0;
  std::map<std::string, std::int64_t> taken;  // values of the steps
};

Result<std::shared_ptr<const BuiltPlan>> built(const schedule::State& state, const model::Device& device,
                                               const schedule::Environment& environment, std::span<const OwnRule> own,
                                               const RuleChoices& choices) {
  auto plan = sketchOf(state, device, *environment.intrinsics, own, choices);
  if (!plan) return Failure(plan.error());
  std::vector<NotBuilt> notBuilt;
  auto all = buildAll(*plan, state, device, environment, &notBuilt);
  if (!all) return Failure(all.error());
  return std::make_shared<const BuiltPlan>(
      BuiltPlan{std::move(*plan), std::move(*all), choices, state.module().functions, std::move(notBuilt)});
}

int sketchNamed(const BuiltPlan& built, const std::string& name) {
  for (const Built& one : built.built)
    if (built.plan.sketches[std::size_t(one.construction.sketch)].name == name) return one.construction.sketch;
  return -1;
}

// The sketch that lines from `base` to the state follow; the one that is asked for, or else the fastest.
std::optional<Found> followedAt(const std::shared_ptr<const BuiltPlan>& built, const document::History& history,
                                int base, int node, const RulesRequest& request) {
  const std::vector<std::string> taken = linesBetween(history, base, node);
  for (const Built& one : built->built) {
    const Sketch& sketch = built->plan.sketches[std::size_t(one.construction.sketch)];
    if (!request.sketch.empty() && sketch.name != request.sketch) continue;
    if (taken.empty()) return Found{built, base, one.construction.sketch, {}};
    if (auto values = valuesTaken(sketch, taken)) return Found{built, base, one.construction.sketch, *values};
  }
  return std::nullopt;
}

Result<Found> findBase(const document::History& history, int node, const schedule::Environment& environment,
                       const model::Device& device, std::span<const OwnRule> own, const RulesRequest& request,
                       const RulesAt* before) {
  std::optional<Found> last;
  std::optional<Error> problem;
  for (const int at : history.path(node)) {
    // An edit of an earlier step leaves the number of the state, but not its program.
    const bool known = before && before->base == at && before->built->choices == request.choices &&
                       before->built->program == history.node(at).state.module().functions;
    auto here = known ? Result<std::shared_ptr<const BuiltPlan>>(before->built)
                      : built(history.node(at).state, device, environment, own, request.choices);
    if (!here) {
      if (!problem) problem = here.error();
      if (last) break;  // scheduled from here on
      continue;
    }
    if (auto found = followedAt(*here, history, at, node, request)) return std::move(*found);
    const int wanted = request.sketch.empty() ? -1 : sketchNamed(**here, request.sketch);
    last = Found{*here, at, wanted >= 0 ? wanted : (*here)->built.front().construction.sketch, {}};
  }
  if (!last) return Failure(*problem);
  return std::move(*last);
}

std::vector<int> decisionsNamed(const Sketch& sketch, const SketchFold& fold, std::vector<char>& named) {
  std::vector<int> decisions;
  const auto note = [&](const std::string& expression) {
    for (const std::string& name : namesIn(expression)) {
      const int d = decisionNamed(sketch.space, name);
      if (d < 0 || named[std::size_t(d)] != 0) continue;
      named[std::size_t(d)] = 1;
      decisions.push_back(d);
    }
  };
  for (int l = fold.first; l < fold.first + fold.lines; ++l) {
    const SketchLine& line = sketch.lines[std::size_t(l)];
    note(line.when);
    for (std::size_t at = line.text.find('?'); at != std::string::npos; at = line.text.find('?', at)) {
      const OpenPlace place = openPlaceAt(line.text, at);
      note(place.expression);
      at = place.end;
    }
  }
  std::ranges::sort(decisions);
  return decisions;
}

void makeRows(RulesAt& rules, std::size_t taken) {
  const Sketch& sketch = rules.shown();
  std::vector<char> named(sketch.space.decisions.size());
  std::vector<std::size_t> ends;  // lines up to each fold
  for (const std::string& text : rules.folds)
    ends.push_back((ends.empty() ? 0 : ends.back()) + script::splitLines(text).size());
  std::size_t next = 0;
  RuleStage stage = RuleStage::Inline;
  for (const PlanRow& row : rules.built->plan.rowsOf[std::size_t(rules.sketch)]) {
    RuleAt at{row, stage, -1, false, 0, {}};
    const RuleTableRow* known = ruleNumbered(row.number);
    at.stage = stage = std::max(stage, known ? known->stage : RuleStage::Rest);
    const bool writes = row.applied && next < sketch.folds.size() && sketch.folds[next].rule == row.rule &&
                        sketch.folds[next].block == row.block;
    if (writes) {
      at.fold = int(next);
      at.decisions = decisionsNamed(sketch, sketch.folds[next], named);
      const std::vector<std::string> lines = script::splitLines(rules.folds[next]);
      at.steps = int(lines.size() - std::size_t(std::ranges::count_if(lines, isNaming)));
      // Names at the end come with the next step.
      std::size_t end = ends[next];
      for (auto line = lines.rbegin(); line != lines.rend() && isNaming(*line); ++line) --end;
      at.isDone = taken >= end && taken > 0 && (at.steps > 0 || taken >= ends[next]);
      ++next;
    }
    rules.rows.push_back(std::move(at));
  }
}

// The values of each decision that go with the pins of the others.
std::vector<std::vector<std::int64_t>> livingValues(const Diagram& diagram, const Pins& pins) {
  const Space& space = diagram.space();
  std::vector<std::vector<std::int64_t>> living(space.decisions.size());
  const auto all = PinnedCounts(diagram, pins).marginals();
  for (std::size_t d = 0; d < living.size(); ++d) {
    std::vector<Count> counts = all[d];
    if (pins.isPinned(int(d))) {
      Pins others = pins;
      others.release(int(d));
      counts = PinnedCounts(diagram, others).marginals()[d];
    }
    for (std::size_t v = 0; v < counts.size(); ++v)
      if (counts[v] > 0) living[d].push_back(space.decisions[d].values[v]);
  }
  return living;
}

}  // namespace

std::string RulesAt::linesUpTo(int fold) const {
  std::string text;
  std::vector<std::string> lines;
  for (int f = 0; f <= fold && f < int(folds.size()); ++f)
    for (std::string& line : script::splitLines(folds[std::size_t(f)])) lines.push_back(std::move(line));
  while (!lines.empty() && isNaming(lines.back())) lines.pop_back();
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

document::FoldTitles RulesAt::titlesUpTo(int fold) const {
  document::FoldTitles titles;
  bool isBegun = false;
  const RuleAt* only = nullptr;
  int open = 0;  // rules whose steps are new
  for (const RuleAt& rule : rows) {
    if (rule.fold < 0 || rule.fold > fold) continue;
    const RuleTableRow* known = ruleNumbered(rule.row.number);
    const Message name = known && known->name == rule.row.rule ? known->words : verbatim(rule.row.rule);
    titles.parts.push_back({message("{}: {}", name, verbatim(rule.row.block)),
                            int(script::splitLines(folds[std::size_t(rule.fold)]).size())});
    if (rule.isDone) isBegun = true;
    if (rule.isDone || rule.steps == 0) continue;
    only = &rule;
    ++open;
  }
  const RuleTableRow* known = open == 1 ? ruleNumbered(only->row.number) : nullptr;
  titles.title = known       ? known->sentence
                 : open == 1 ? verbatim(only->row.rule)
                 : isBegun   ? message("The rest of the rules: {}", verbatim(shown().name))
                             : message("A schedule that the rules construct: {}", verbatim(shown().name));
  return titles;
}

Result<RulesAt> rulesAt(const document::History& history, int node, const schedule::Environment& environment,
                        const model::Device& device, std::span<const OwnRule> own, const RulesRequest& request,
                        const RulesAt* before) {
  auto found = findBase(history, node, environment, device, own, request, before);
  if (!found) return Failure(found.error());
  RulesAt rules;
  rules.built = found->built;
  rules.base = found->base;
  rules.node = node;
  rules.sketch = found->sketch;
  const Sketch& sketch = rules.shown();
  Pins pins(sketch.space);
  pinWhatGoes(pins, sketch.space, request.wishes);
  pinWhatGoes(pins, sketch.space, found->taken);
  const bool asBuilt = pins.pinned().empty();
  const auto ready =
      std::ranges::find(rules.built->built, rules.sketch, [](const Built& b) { return b.construction.sketch; });
  if (asBuilt && ready != rules.built->built.end()) {
    rules.construction = ready->construction;
    rules.microseconds = ready->microseconds;
  } else {
    auto made = construct(rules.built->plan, rules.sketch, device, &pins);
    if (!made) return Failure(made.error());
    rules.construction = std::move(*made);
    if (const auto lines = linesOf(sketch, rules.construction.assignment)) {
      const auto kernel = madeByLines(history.node(rules.base).state, *lines, environment);
      const auto time = kernel ? predictedTime(kernel->kernel, device) : Result<double>(Failure(kernel.error()));
      if (time) rules.microseconds = *time;
    }
  }
  auto folds = linesOfFolds(sketch, rules.construction.assignment);
  if (!folds) return Failure(folds.error());
  rules.folds = std::move(*folds);
  const std::vector<std::string> written = script::splitLines(joined(rules.folds));
  const std::vector<std::string> taken = linesBetween(history, rules.base, node);
  const std::size_t same = std::size_t(std::ranges::mismatch(written, taken).in1 - written.begin());
  rules.branches = same < taken.size();
  std::size_t steps = written.size();
  while (steps > 0 && isNaming(written[steps - 1])) --steps;
  rules.isComplete = same >= steps && !rules.branches;
  makeRows(rules, same);
  if (request.counts) {
    if (before && before->built == rules.built && before->sketch == rules.sketch) rules.diagram = before->diagram;
    if (!rules.diagram) {
      if (auto counted = Diagram::of(sketch.space))
        rules.diagram = std::make_shared<const Diagram>(std::move(*counted));
    }
    if (rules.diagram) rules.living = livingValues(*rules.diagram, pins);
  }
  return rules;
}

}  // namespace loom::tune
