#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "app/text/messages.h"
#include "core/document/file.h"
#include "core/model/duration_text.h"
#include "core/script/line_diff.h"
#include "core/tune/step_form.h"
#include "core/tune/tensorize/performance.h"

namespace loom::cli {
namespace {

struct TensorizeOptions {
  TargetWords target;
  std::string tile, block, output;
  std::vector<std::string> with;  // of the performance list
  int step = -1;
  bool swapped = false, performance = false, tf32 = false;
};

using tune::Tensorization;

// The names of what a pass looked at, as the state has them.
std::vector<std::string> namesOf(const schedule::State& state, const std::vector<ir::Id>& ids) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (ir::Id id : ids) {
    if (state.tree().isLoop(id)) add(state.tree().loop(id)->var->name);
    if (state.tree().isBlock(id)) add(state.tree().block(id)->name);
    for (const ir::Parameter& parameter : state.module().functions.front()->params)
      if (parameter.buffer && parameter.buffer->id == id) add(parameter.buffer->name);
  }
  return names;
}

nlohmann::ordered_json jsonOf(const Tensorization& t, int pass, const schedule::State& state) {
  const tune::PassReport& report = t.report(pass);
  nlohmann::ordered_json j = {{"pass", pass + 1},
                              {"id", tune::tensorizePasses()[std::size_t(pass)].id},
                              {"question", tune::tensorizePasses()[std::size_t(pass)].question.english()},
                              {"looked_at", namesOf(state, report.lookedAt)},
                              {"ok", tune::succeeded(report.outcome)},
                              {"outcome", tune::nameOf(report.outcome)},
                              {"verdict", report.verdict.english()}};
  if (pass == 0) {
    j["expected"] = t.pattern.expected;
    j["found"] = t.pattern.found;
    if (!t.pattern.unequal.empty()) j["unequal"] = t.pattern.unequal;
    if (tune::succeeded(report.outcome)) j["tile"] = tune::textOf(t.pattern.tile.shape);
  }
  if (pass == 1) {
    for (const tune::OperandRow& row : t.matrices.rows) {
      std::vector<std::string> iterators;
      for (std::size_t n = 0; n < row.uses.size(); ++n)
        if (row.uses[n]) iterators.push_back(t.pattern.product.names[n]);
      j["operands"].push_back({{"matrix", row.role == tune::MatrixRole::A   ? "a"
                                          : row.role == tune::MatrixRole::B ? "b"
                                                                            : "c"},
                               {"buffer", row.buffer->name},
                               {"iterators", iterators},
                               {"major", row.rowMajor ? "row" : "col"}});
    }
  }
  if (pass == 2 && t.threads.before) {
    const tune::ThreadTiles& before = *t.threads.before;
    j["before"] = {{"threads", before.threads},
                   {"wx", before.warpX},
                   {"wy", before.warpY},
                   {"warp_tile", {before.warpI, before.warpJ}},
                   {"block_tile", {before.blockI, before.blockJ}},
                   {"k_step", before.stepK}};
    for (const Message& kept : t.threads.kept) j["kept"].push_back(kept.english());
  }
  if (pass == 3) {
    for (const tune::ScaledLoop& loop : t.scaling.loops)
      j["loops"].push_back({{"loop", loop.name},
                            {"before", loop.before},
                            {"after", loop.after},
                            {"factor", loop.factor},
                            {"reason", loop.reason.english()}});
  }
  j["lines"] = script::splitLines(report.lines);
  return j;
}

void printPass(const Tensorization& t, int pass, const schedule::State& state, text::Language language) {
  const auto tell = [&](const Message& message) { return text::wordsOf(language, message); };
  const tune::TensorizePass& row = tune::tensorizePasses()[std::size_t(pass)];
  const tune::PassReport& report = t.report(pass);
  fmt::print("{} {}: {}\n", pass + 1, tell(row.title), tell(row.question));
  if (report.outcome == tune::PassOutcome::NotReached) {
    fmt::print("  {}\n", tell(tune::wordsOf(report.outcome)));
    return;
  }
  std::string names;
  for (const std::string& name : namesOf(state, report.lookedAt)) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) fmt::print("  {}\n", tell(message("looked at {}", names)));
  fmt::print("  {} {}: {}\n", tune::succeeded(report.outcome) ? "✓" : "✗", tell(tune::wordsOf(report.outcome)),
             tell(report.verdict));
  if (pass == 0 && !t.pattern.unequal.empty()) {
    fmt::print("  {}\n  {}\n  {}\n", tell(message("expected {}", t.pattern.expected)),
               tell(message("found {}", t.pattern.found)), tell(message("first unequal: {}", t.pattern.unequal)));
  }
  if (pass == 2)
    for (const Message& kept : t.threads.kept) fmt::print("  {}\n", tell(kept));
  if (pass == 3)
    for (const tune::ScaledLoop& loop : t.scaling.loops)
      fmt::print("  {:<16} {:>6} → {:<6} {}\n", loop.name, loop.before, loop.after, tell(loop.reason));
  for (const std::string& line : script::splitLines(report.lines)) fmt::print("    {}\n", line);
}

const tune::SpeedupRow* speedupOf(std::string_view id) {
  const auto row = std::ranges::find(tune::speedupRows(), id, &tune::SpeedupRow::id);
  return row == tune::speedupRows().end() ? nullptr : &*row;
}

// The end of the passes, with what is wanted of the performance list.
struct Ending {
  Tensorization passes;
  tune::Performance performance;
  std::string lines;
};

// Takes one wanted row after the other, each on the end that the one before leads to.
Ending endingWith(const Tensorization& passes, const std::vector<std::string>& with, const document::Target& target,
                  int node, const schedule::Environment& environment, const model::Device* device,
                  tune::TensorizeRequest request) {
  Ending end{passes, tune::performanceOf(target.history, passes, environment, device, request), passes.linesUpTo(4)};
  const auto further = [&] { return end.passes.further.empty() ? "" : "\n" + end.passes.further; };
  end.lines += further();
  for (const std::string& id : with) {
    const auto& step = end.performance.steps[std::size_t(speedupOf(id) - tune::speedupRows().data())];
    if (step.lines.empty()) continue;
    request = step.request;
    const std::string after =
        end.passes.further + (step.added.empty() || end.passes.further.empty() ? "" : "\n") + step.added;
    end.passes = tune::tensorization(target.history, node, environment, device, request);
    end.passes.further = after;
    end.performance = tune::performanceOf(target.history, end.passes, environment, device, request);
    end.lines = end.passes.linesUpTo(4) + further();
  }
  return end;
}

void printPerformance(const tune::Performance& performance, bool json, text::Language language) {
  const auto tell = [&](const Message& message) { return text::wordsOf(language, message); };
  if (!json) fmt::print("5 {}\n", tell(message("What general measures make it faster")));
  for (const tune::SpeedupReport& step : performance.steps) {
    const tune::SpeedupRow& row = tune::speedupRows()[std::size_t(step.speedup)];
    if (json) {
      nlohmann::ordered_json j = {{"speedup", row.id}, {"done", step.done}, {"verdict", step.verdict.english()}};
      if (performance.microseconds) j["was_us"] = *performance.microseconds;
      if (step.microseconds) j["us"] = *step.microseconds;
      j["lines"] = script::splitLines(step.added.empty() ? step.lines : step.added);
      printJson(j);
      continue;
    }
    std::string gain;
    if (step.microseconds && performance.microseconds)
      gain = fmt::format(" {} → {}", model::durationText(*performance.microseconds),
                         model::durationText(*step.microseconds));
    fmt::print("  {} {}{}: {}\n",
               step.done            ? "✓"
               : step.lines.empty() ? "✗"
                                    : "+",
               tell(row.title), gain, tell(step.verdict));
    for (const std::string& line : script::splitLines(step.added)) fmt::print("    {}\n", line);
  }
}

ExitStatus run(const TensorizeOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) return report(*target->refusal);
  const auto node = nodeOf(*target, "", options.step);
  if (!node) return report(node.error());
  std::optional<model::Device> device;
  if (!common.model.empty()) {
    document::Bench bench(benchOptions(*setup, common, false));
    auto named = modelDevice(*setup, common, bench);
    if (!named) return report(named.error());
    device = std::move(*named);
  }
  tune::TensorizeRequest request{options.block, {}, options.swapped, {}, options.tf32};
  if (!options.tile.empty()) request.tile = tune::readTile(options.tile);
  const auto environment = document::environmentOf(*target, setup->environment());
  const model::Device* figures = device ? &*device : nullptr;
  const Tensorization t = tune::tensorization(target->history, *node, environment, figures, request);
  const schedule::State& state = target->history.node(*node).state;
  for (int pass = 0; pass < int(tune::tensorizePasses().size()); ++pass) {
    if (common.json) {
      printJson(jsonOf(t, pass, state));
    } else {
      printPass(t, pass, state, text::languageOf(languageOf(common)));
    }
  }
  std::string end = t.linesUpTo(4);
  if (t.complete() && (options.performance || !options.with.empty())) {
    Ending ending = endingWith(t, options.with, *target, *node, environment, figures, request);
    printPerformance(ending.performance, common.json, text::languageOf(languageOf(common)));
    end = std::move(ending.lines);
  }
  flushResults();
  if (!t.complete()) return ExitStatus::kRefused;
  if (!options.output.empty()) {
    std::string lines;
    for (const std::string& line : tune::linesTo(target->history, t.at)) lines += line + "\n";
    if (auto written = document::writeFile(options.output, lines + end + "\n"); !written)
      return report(written.error());
  }
  return ExitStatus::kDone;
}

}  // namespace

Action declareTensorize(CLI::App& command, const Context& context) {
  auto options = std::make_shared<TensorizeOptions>();
  addTarget(command, options->target);
  command
      .add_option("--tile", options->tile,
                  fmt::format("Tile of a warp, m x n x k: {}", fmt::join(tune::tileShapes(), ", ")))
      ->check(CLI::Validator(
          [](const std::string& word) { return tune::readTile(word) ? std::string() : word + " is no tile"; }, ""));
  command.add_option("--block", options->block, "Name of the block (default: the first product)")->check(aName());
  command.add_option("--step", options->step, "The state after this step (default: the last)")->check(stepNumber());
  command.add_flag("--swap", options->swapped, "Exchange a and b: form the transposed product");
  addAllowTf32(command, options->tf32);
  command.add_flag("--performance", options->performance,
                   "List what makes the end faster: tuned tiles, vector copies, double buffer, align, virtual threads");
  command
      .add_option("--with", options->with,
                  "Take these of that list, in this order: tuned_tiles, double_buffer, storage_align, virtual_threads")
      ->delimiter(',')
      ->check(CLI::Validator(
          [](const std::string& word) { return speedupOf(word) ? std::string() : word + " is not on the list"; }, ""));
  command.add_option("-o,--output", options->output, "Write the whole schedule here")->check(aName());
  return [options, &context] { return run(*options, context.common); };
}

}  // namespace loom::cli
