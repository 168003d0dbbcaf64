#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/progress.h"
#include "app/cli/setup.h"
#include "app/cli/table.h"
#include "app/cli/tune_machines.h"
#include "app/cli/tune_own.h"
#include "app/cli/tune_path.h"
#include "app/cli/verb_list.h"
#include "app/text/messages.h"
#include "app/text/program_parts.h"
#include "app/text/singular.h"
#include "core/gpu/vendor.h"
#include "core/model/duration_text.h"
#include "core/script/line_diff.h"
#include "core/tune/rules/plan_of_parts.h"
#include "core/tune/rules/read_back.h"
#include "core/tune/search/journal.h"
#include "core/tune/search/prepared.h"
#include "core/tune/search/run.h"
#include "core/tune/search/winner_path.h"
#include "core/tune/space/pinned_counts.h"

namespace loom::cli {
namespace {

using nlohmann::ordered_json;

struct TuneOptions {
  TargetWords target;
  bool rulesOnly = false;
  tune::RuleChoices choices;
  tune::SearchLimits limits;
  tune::Strategy strategy = tune::Strategy::Funnel;
  std::uint64_t seed = 1;
  MachineOptions machines;
  bool resume = false;
  // By what is given, a resumed search is chosen or changed.
  bool givenTrials = false, givenBudget = false, givenStrategy = false, givenSeed = false;
};

const std::map<std::string, tune::Strategy> kStrategies{{"funnel", tune::Strategy::Funnel},
                                                        {"evolution", tune::Strategy::Evolution},
                                                        {"coordinate", tune::Strategy::Coordinate},
                                                        {"random", tune::Strategy::Random},
                                                        {"exhaustive", tune::Strategy::Exhaustive}};

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

Result<tune::PreparedSearch> prepare(const document::Target& target, const Setup& setup, Machines& machines,
                                     const tune::RuleChoices& choices) {
  auto device = machines.modelDevice();
  if (!device) return Failure(device.error());
  const tune::OwnRules own = tune::readOwnRules(tune::ownRuleFolders(setup.assets));
  for (const Error& problem : own.problems) report(problem);
  return tune::prepareSearch(target.history.node(0).state, std::move(*device),
                             document::environmentOf(target, setup.environment()), own.rules, choices);
}

// A count as a number; past 64 bits as a floating-point one.
ordered_json numberOf(tune::Count count) {
  if (count <= std::numeric_limits<std::uint64_t>::max()) return std::uint64_t(count);
  return double(count);
}

ordered_json spaceJson(const tune::PreparedSearch& p) {
  const auto sum = p.schedules();
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
  for (const tune::NotBuilt& one : p.notBuilt)
    space["sketches"][std::size_t(one.sketch)]["not_built"] = one.why.english();
  space["sketch"] = sketch.name;
  for (const tune::SketchPart& part : tune::partsOf(sketch)) {
    ordered_json j = {{"blocks", part.blocks}, {"sketch", part.sketch}, {"open", part.isOpen}};
    if (part.microseconds) j["predicted_us"] = *part.microseconds;
    space["parts"].push_back(std::move(j));
  }
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

// With `best`, the construction is the answer.
void printJsonOf(const tune::PreparedSearch& p, bool withBest) {
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
  if (!withBest) return;
  ordered_json j = {{"steps", script::splitLines(best.lines)},
                    {"sketch", p.plan.sketches[std::size_t(best.construction.sketch)].name},
                    {"device", p.device.id}};
  if (best.microseconds) {
    j["predicted_us"] = *best.microseconds;
  } else {
    j["unpredicted"] = best.unpredicted.english();
  }
  printJson({{"best", j}});
}

// Which part of the program is open to the search, and what each is predicted to take; nothing where it has no parts.
void printParts(const tune::Sketch& sketch, const std::string& language) {
  namespace words = text::parts;
  const text::Language in = text::languageOf(language);
  const auto said = [&](const text::Text& phrase, const auto&... values) {
    return fmt::format(fmt::runtime(phrase.in(in)), values...);
  };
  const std::vector<tune::SketchPart> parts = tune::partsOf(sketch);
  if (!parts.empty()) fmt::print("{}\n", said(words::kSummary, parts.size()));
  for (const tune::SketchPart& part : parts) {
    const std::string blocks = fmt::format("{}", fmt::join(part.blocks, ", "));
    fmt::print("  {} {}\n", padded(said(part.isOpen ? words::kOpen : words::kFixed), 6, false),
               part.microseconds ? said(words::kPredicted, blocks, part.sketch, model::durationText(*part.microseconds))
                                 : said(words::kUnpredicted, blocks, part.sketch));
  }
}

void printText(const tune::PreparedSearch& p, const std::string& language) {
  const auto inWords = [&](const Message& message) {
    return text::wordsOf(language == "zh" ? text::Language::kChinese : text::Language::kEnglish, message);
  };
  for (const tune::PlanRow& row : p.plan.rows)
    fmt::print("{} {} {} {}: {}\n", row.applied ? "✓" : "·", padded(row.number, 4, false), padded(row.rule, 22, false),
               row.block, inWords(row.why));
  for (std::size_t n = 0; n < p.plan.sketches.size(); ++n) {
    const tune::Sketch& sketch = p.plan.sketches[n];
    fmt::print("{}\n",
               text::inSingular(fmt::format("{} schedules of {} decisions: {}",
                                            p.counted[n] ? tune::digitsOf(p.counted[n]->count()) : "not counted;",
                                            sketch.space.decisions.size(), sketch.name)));
  }
  const tune::Built& best = p.built.front();
  printParts(p.plan.sketches[std::size_t(best.construction.sketch)], language);
  for (std::size_t n = 0; n < best.construction.steps.size(); ++n)
    fmt::print("{}. {}: {}\n", n + 1, inWords(best.construction.steps[n].words),
               inWords(best.construction.steps[n].reason));
  for (const tune::Built& other : p.built)
    fmt::print("{}: {}\n", p.plan.sketches[std::size_t(other.construction.sketch)].name,
               other.microseconds ? "predicted " + model::durationText(*other.microseconds) + " on " + p.device.name
                                  : inWords(other.unpredicted));
  for (const tune::NotBuilt& one : p.notBuilt)
    fmt::print("{}: {}\n", p.plan.sketches[std::size_t(one.sketch)].name, inWords(one.why));
  fmt::print("\n{}", best.lines);
}

const char* nameOf(tune::Origin origin) {
  switch (origin) {
    case tune::Origin::Construction: return "construction";
    case tune::Origin::Formula: return "formula";
    case tune::Origin::Uniform: return "uniform";
    case tune::Origin::Child: return "child";
    case tune::Origin::Enumerated: return "in order";
    case tune::Origin::Neighbour: break;
  }
  return "neighbour";
}

ordered_json candidateJson(const tune::PreparedSearch& p, const tune::Candidate& c) {
  ordered_json j = {{"key", c.kernel ? c.kernel->key : std::string()},
                    {"tier", c.measured     ? "gpu"
                             : c.asCompiled ? "machine code"
                                            : "program"},
                    {"sketch", p.plan.sketches[std::size_t(c.sketch)].name},
                    {"origin", nameOf(c.origin)}};
  if (c.formula) j["formula_us"] = *c.formula;
  if (c.predicted) j["predicted_us"] = *c.predicted;
  if (c.measured) j["measured_us"] = *c.measured;
  if (c.death) j["death"] = {{"code", c.death->code}, {"message", c.death->message.english()}};
  for (std::size_t d = 0; d < c.assignment.size(); ++d)
    j["decisions"][p.plan.sketches[std::size_t(c.sketch)].space.decisions[d].name] = c.assignment[d];
  return j;
}

void printFound(const tune::PreparedSearch& p, const tune::Search& search, const tune::SearchTally& tally,
                Machines& machines, const document::Target& target, bool json) {
  const gpu::DeviceInfo& on = *machines.device();
  const auto winner = search.best();
  if (!winner) return;
  const tune::Candidate& best = search.candidates()[*winner];
  const double vendor = tally.vendor ? tally.vendor->outcome.timing.median : 0;
  const document::History& history = target.history;
  const auto product = gpu::recognizeMatmul(document::functionAt(history.node(0).state, history.sizes()));
  const Message lacks = product ? gpu::whyNoVendorProduct(*product) : Message();
  if (json) {
    ordered_json j = candidateJson(p, best);
    j["steps"] = script::splitLines(best.lines);
    j["tie"] = tally.tie;
    j["device"] = on.name;
    if (tally.vendor) j["vendor"] = {{"us", vendor}, {"version", tally.vendor->outcome.version}};
    if (!tally.vendor && !lacks.empty()) j["no_vendor"] = lacks.english();
    if (vendor > 0 && best.measured) j["of_vendor"] = vendor / *best.measured;
    if (const auto error = search.error()) j["prediction_error"] = *error;
    if (const auto error = search.formulaError()) j["formula_error"] = *error;
    j["spent"] = {
        {"families", search.familyCount()}, {"formula_s", search.formulaSeconds()}, {"drawn", tally.drawn},
        {"drawing_s", tally.drawing},       {"compiled", tally.compiled},           {"compiling_s", tally.compiling},
        {"measured", tally.measured},       {"measuring_s", tally.measuring},       {"replayed", machines.replayed()}};
    if (tally.enumerated > 0) j["spent"]["enumerated"] = numberOf(tally.enumerated);
    if (const auto share = tally.share()) j["spent"]["share_of_space"] = *share;
    printJson({{"best", j}});
    return;
  }
  // As Inductor prints it, which people quote: the fastest first, each beside the fastest.
  std::map<std::string, int> deaths;
  for (const tune::Candidate& c : search.candidates())
    if (c.death) ++deaths[c.death->code];
  fmt::print("\n{} {} {} {} {} what\n", padded("measured", 11, true), padded("of best", 8, true),
             padded("of vendor", 10, true), padded("predicted", 11, true), padded("origin", 12, false));
  for (std::size_t i : search.fastest(10)) {
    const tune::Candidate& c = search.candidates()[i];
    const tune::Sketch& sketch = p.plan.sketches[std::size_t(c.sketch)];
    std::string what = sketch.name;
    for (const char* name : {"tile.m", "tile.n", "tile.k", "threads", "stages"})
      if (const auto value = tune::quantityOf(sketch, name, c.assignment); value && *value > 0)
        what += fmt::format(", {} {}", name, *value);
    fmt::print("{} {} {} {} {} {}\n", padded(model::durationText(*c.measured), 11, true),
               padded(fmt::format("{:.1f} %", 100 * *best.measured / *c.measured), 8, true),
               padded(vendor > 0 ? fmt::format("{:.1f} %", 100 * vendor / *c.measured) : "", 10, true),
               padded(c.predicted ? model::durationText(*c.predicted) : "", 11, true),
               padded(nameOf(c.origin), 12, false), what);
  }
  if (tally.vendor)
    fmt::print("{} cuBLASLt {}\n", padded(model::durationText(vendor), 11, true), tally.vendor->outcome.version);
  else if (!lacks.empty())
    fmt::print("No vendor's line: {}.\n", lacks);
  if (on.cpu) fmt::print("These are times of the CPU executor: they say nothing of a GPU.\n");
  if (tally.tie) fmt::print("The first two are a tie: their times overlap.\n");
  if (search.familyCount() > 0) {
    fmt::print("{} families ranked by a formula in {:.1f} s", search.familyCount(), search.formulaSeconds());
    if (const auto error = search.formulaError()) fmt::print(", off by {:.0f} % (median)", 100 * *error);
    fmt::print("; ");
  }
  fmt::print("{} looked at in {:.1f} s, {} compiled in {:.1f} s, {} measured in {:.1f} s", tally.drawn, tally.drawing,
             tally.compiled, tally.compiling, tally.measured, tally.measuring);
  if (const auto error = search.error()) fmt::print("; predictions are off by {:.0f} % (median)", 100 * *error);
  if (tally.enumerated > 0) {
    fmt::print("; {} schedules in the formula's order", tune::digitsOf(tally.enumerated));
    if (const auto share = tally.share())
      fmt::print(", {:.3g} % of all {}", 100 * *share, tune::digitsOf(*tally.schedules));
  }
  if (machines.replayed() > 0) fmt::print("; {} of them before it was resumed", machines.replayed());
  fmt::print("\n");
  if (const std::string line = machines.summary(); !line.empty()) fmt::print("{}\n", line);
  for (const auto& [code, count] : deaths) fmt::print("{} died: {}\n", count, code);
  if (best.measured) fmt::print("\n# {} on {}\n{}", model::durationText(*best.measured), on.name, best.lines);
}

// The schedule that the target has; without lines where nothing is scheduled.

// How the winner came about of the target's own schedule, or of the construction. A path that can't be made is left
// out.
void explain(const tune::PreparedSearch& p, const tune::Search& search, tune::Measurer& measurer,
             const document::Target& target, const Setup& setup, const std::string& language, bool measures,
             bool json) {
  const auto winner = search.best();
  if (!winner) return;
  const tune::Candidate& best = search.candidates()[*winner];
  auto path = tune::pathTo(p, target.history.node(0).state, document::environmentOf(target, setup.environment()),
                           best.sketch, best.assignment, tune::ownProgramOf(target.history, target.history.current()));
  if (!path) return;
  std::vector<tune::DecisionWorth> none;
  if (measures) {
    if (const auto measured = tune::measurePath(*path, none, measurer, {}); !measured) note(measured.error().message);
    tune::joinDetours(*path, p.plan.sketches[std::size_t(path->sketch)].space);
  }
  printPath(p, *path, language, json);
}

// The journal of this search, which is begun, or gone on with; then `options` become that search's. Null where none can
// be kept, which is said and is no reason not to search.
Result<std::unique_ptr<tune::Journal>> journalOf(TuneOptions& options, const tune::PreparedSearch& p,
                                                 const document::Target& target, Machines& machines) {
  auto journal = tune::Journal::open(tune::Journal::defaultFile());
  if (!journal) {
    if (options.resume) return journal;
    note(fmt::format("{}; this search can't be resumed", journal.error().message));
    return nullptr;
  }
  const auto named = std::ranges::find(kStrategies, options.strategy, [](const auto& row) { return row.second; });
  const tune::SearchRecord now{tune::fingerprintOf(target.history.node(0).state, p),
                               options.target.words.front(),
                               machines.device()->name,
                               machines.device()->driver,
                               machines.toolkit(),
                               named->first,
                               options.seed,
                               options.limits.trials,
                               options.limits.deviceSeconds};
  if (!options.resume) {
    if (const auto begun = (*journal)->begin(now); !begun) {
      note(fmt::format("{}; this search can't be resumed", begun.error().message));
      return nullptr;
    }
    return journal;
  }
  const auto before =
      (*journal)->resume(now.fingerprint, now.device, options.givenSeed ? std::optional(options.seed) : std::nullopt,
                         options.givenStrategy ? std::optional(now.strategy) : std::nullopt);
  if (!before)
    return fail("NoSuchTarget", message("no such search of this program was begun on {}", now.device), Forbids::Input);
  if (before->driver != now.driver || before->toolkit != now.toolkit)
    note(fmt::format("its times were taken with driver CUDA {} and {}; here are CUDA {} and {}", before->driver,
                     before->toolkit, now.driver, now.toolkit));
  options.seed = before->seed;
  if (const auto strategy = kStrategies.find(before->strategy); strategy != kStrategies.end())
    options.strategy = strategy->second;
  if (!options.givenTrials) options.limits.trials = before->trials;
  if (!options.givenBudget) options.limits.deviceSeconds = before->deviceSeconds;
  return journal;
}

ExitStatus search(TuneOptions options, const tune::PreparedSearch& p, const document::Target& target,
                  const Setup& setup, Machines& machines, const std::string& language, bool json) {
  const auto journal = journalOf(options, p, target, machines);
  if (!journal) return report(journal.error());
  tune::Search search(p.plan, p.counted, target.history.node(0).state, p.device,
                      document::environmentOf(target, setup.environment()), options.strategy, options.seed, p.built);
  tune::Measurer& measurer = machines.measurer(p.device, target.history, journal->get());
  const auto written = [&](std::size_t i) {
    const tune::Candidate& c = search.candidates()[i];
    if (*journal) (*journal)->put(i, c, p.plan.sketches[std::size_t(c.sketch)].name);
  };
  auto tally = [&] {
    const ProgressLine progress;
    return tune::runSearch(search, measurer, [&] { return options.limits; },
                           {[&](std::size_t i) {
                              written(i);
                              if (!json) return;
                              printJson(candidateJson(p, search.candidates()[i]));
                              flushResults();
                            },
                            [&](const Message& what) { progress(what); },
                            {}});
  }();
  if (tally) std::ranges::for_each(tally->finalists, written);
  machines.printRemarks();
  if (*journal && !(*journal)->fault().empty())
    note(fmt::format("{}; what follows can't be resumed", (*journal)->fault()));
  // What was found before it ended is an answer, too.
  const auto winner = search.best();
  const bool measured = winner && search.candidates()[*winner].measured;
  // The CPU executor's times say nothing of a GPU: there the path is predicted.
  const auto explained = [&] {
    if (tally) explain(p, search, measurer, target, setup, language, !machines.device()->cpu, json);
  };
  if (json) explained();
  if (tally || measured) printFound(p, search, tally ? *tally : tune::SearchTally(), machines, target, json);
  if (!json) explained();
  if (!tally) return report(tally.error());
  return measured ? ExitStatus::kDone : ExitStatus::kWrong;
}

ExitStatus run(const TuneOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) {
    // Of a document or a record the function is tuned all the same; a schedule that was given is to be judged.
    if (!target->file && !target->tuned) return report(*target->refusal);
    note(target->refusal->message);
  }
  const auto opened = Machines::open(options.machines, *setup, common, !options.rulesOnly);
  if (!opened) return report(opened.error());
  Machines& machines = **opened;
  const bool live = !options.rulesOnly && machines.device().has_value();
  const bool asked = wantsDevice(common) || (!options.machines.workers.empty() && common.device != "none");
  if (!options.rulesOnly && !live && asked) return report(machines.device().error());
  auto prepared = prepare(*target, *setup, machines, options.choices);
  if (!prepared) return report(prepared.error());
  if (common.json) {
    printJsonOf(*prepared, !live);
  } else {
    printText(*prepared, languageOf(common));
  }
  // Of a lesson nobody asks about its schedule.
  const bool isLesson = target->lesson && !target->file;
  if (const tune::OwnProgram own = tune::ownProgramOf(target->history, target->history.current());
      !isLesson && !own.lines.empty()) {
    const auto environment = document::environmentOf(*target, setup->environment());
    printOwnSchedule(*prepared, tune::ownInSketches(*prepared, target->history.node(0).state, environment, own),
                     own.lines.size(), languageOf(common), common.json);
  }
  if (!live) return ExitStatus::kDone;
  flushResults();
  return search(options, *prepared, *target, *setup, machines, languageOf(common), common.json);
}

}  // namespace

Action declareTune(CLI::App& command, const Context& context) {
  auto options = std::make_shared<TuneOptions>();
  addTarget(command, options->target);
  command.add_option("--trials", options->limits.trials, "Candidates to measure at most")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--budget", options->limits.deviceSeconds, "Seconds that the device may be used")
      ->check(seconds())
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--strategy", [options](const std::string& name) { options->strategy = kStrategies.at(name); },
          "How to find what to measure next")
      ->transform(CLI::IsMember(kStrategies, CLI::ignore_case))
      ->default_str("funnel");
  command.add_option("--seed", options->seed, "Of what is drawn by chance")->capture_default_str();
  addAllowTf32(command, options->choices.tf32);
  command.add_flag("--rules-only", options->rulesOnly, "Stop at the schedule that the rules construct; needs no GPU");
  addWorkers(command, options->machines, options->target);
  command.add_flag("--resume", options->resume, "Go on with the last search of this program on this device");
  return [options, &command, &context] {
    const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
    options->givenTrials = given("--trials");
    options->givenBudget = given("--budget");
    options->givenStrategy = given("--strategy");
    options->givenSeed = given("--seed");
    return run(*options, context.common);
  };
}

}  // namespace loom::cli
