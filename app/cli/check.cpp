#include "core/exec/check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/ir/with_noun.h"

namespace loom::cli {
namespace {

struct CheckOptions {
  TargetWords target;
  double budget = 2;
  std::uint64_t seed = 1;
  bool whole = false;
  bool allowUnchecked = false;
};

nlohmann::ordered_json jsonOf(const exec::Finding& f) {
  nlohmann::ordered_json j = {{"kind", exec::nameOf(f.kind)},
                              {"text", exec::describe(f)},
                              {"kernel", f.kernel},
                              {"block", f.blockName},
                              {"buffer", f.buffer},
                              {"element", f.element},
                              {"write", f.write},
                              {"blockIdx", f.blockIdx},
                              {"threads", f.threads},
                              {"of_original", f.ofOriginal},
                              {"other_block", f.otherBlockName},
                              {"count", f.count}};
  j["loops"] = nlohmann::ordered_json::array();
  for (const auto& [name, value] : f.loops) j["loops"].push_back({{"name", name}, {"value", value}});
  return j;
}

nlohmann::ordered_json jsonOf(const exec::Report& r) {
  nlohmann::ordered_json j = {{"status", exec::nameOf(r.status)},
                              {"compared", r.compared},
                              {"total", r.total},
                              {"sampled", r.sampled},
                              {"ran", r.left},
                              {"drawn", r.drawn},
                              {"unknown_inputs", r.unknownInputs},
                              {"mismatches", r.mismatches},
                              {"ms", r.milliseconds}};
  j["findings"] = nlohmann::ordered_json::array();
  for (const auto& f : r.findings) j["findings"].push_back(jsonOf(f));
  if (r.inOrder) j["in_order"] = {{"code", r.inOrder->code}, {"message", r.inOrder->message}};
  if (r.first) {
    j["first"] = {{"buffer", r.first->buffer},
                  {"element", r.first->element},
                  {"expected", r.first->expected},
                  {"got", r.first->got},
                  {"written", r.first->written}};
  }
  return j;
}

// `size`: "n = 1000: " where the function has numbers.
void printText(const std::string& size, const Result<exec::Report>& result) {
  if (!result) {
    fmt::print("       {}not run: {}\n", size, result.error().message);
    return;
  }
  fmt::print("       {}{} ({:.0f} ms)\n", size, exec::describe(*result), result->milliseconds);
  for (std::size_t i = 1; i < result->findings.size(); ++i)
    fmt::print("       {}\n", exec::describe(result->findings[i]));
}

ExitStatus check(const CheckOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  exec::Options how;
  how.budget = options.budget;
  how.seed = options.seed;
  how.sample = !options.whole;
  const document::History& history = target->history;
  const ir::Function& original = history.node(0).state.module().functions.front();
  std::vector<document::SizeChoice> sizes = document::choicesOf(history.sizes(), *original);
  std::vector<exec::Checker> checkers;
  for (const document::SizeChoice& size : sizes) {
    how.numbers = size.numbers;
    auto checker = exec::Checker::create(original, how);
    if (!checker) {
      const ExitStatus failed = report(checker.error());
      return options.allowUnchecked ? ExitStatus::kDone : failed;
    }
    checkers.push_back(std::move(*checker));
  }
  ExitStatus status = ExitStatus::kDone;
  std::optional<Error> unchecked;            // the first state that wasn't
  int missing = 0, partly = 0, unknown = 0;  // states: not compared; in part, for want of time; for want of inputs
  for (const Row& row : rowsOf(*target, languageOf(common))) {
    const document::Node& n = history.node(row.node);
    std::string source = n.step() ? n.step()->source : "";
    if (!common.json) {
      if (!row.chapter.empty()) fmt::print("       — {}\n", row.chapter);
      fmt::print("{:>5}  {}\n", n.number, source.empty() ? "the unscheduled program" : source);
    }
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      auto result = checkers[s].check(n.state.module().functions.front());
      using Status = exec::Report::Status;
      const bool compared = result && (result->status != Status::NotCompared || result->total == 0);
      missing += !compared;
      if (!compared && !unchecked) {
        unchecked =
            result ? fail("NotCompared", exec::describe(*result), Forbids::Environment).value() : result.error();
        unchecked->place.text = n.step() ? n.step()->source : "";
      }
      const bool inPart = result && result->status == Status::Partly;
      partly += inPart && result->unknownInputs.empty();
      unknown += inPart && !result->unknownInputs.empty();
      if (result && (result->status == Status::Wrong || result->status == Status::Faults)) status = ExitStatus::kWrong;
      if (!common.json) {
        printText(sizes[s].text.empty() ? "" : sizes[s].text + ": ", result);
        flushResults();  // states take long: what is known is there, whatever ends the run
        continue;
      }
      nlohmann::ordered_json j = {{"step", n.number}, {"node", row.node}, {"source", source}};
      if (!sizes[s].numbers.empty()) j["size"] = sizes[s].numbers;
      if (result) {
        j.update(jsonOf(*result));
      } else {
        j["problem"] = {{"code", result.error().code}, {"message", result.error().message}};
      }
      printJson(j);
      flushResults();
    }
  }
  if (target->refusal) return report(*target->refusal);
  if (unknown > 0 && !common.json) {
    fmt::print("{} checked in part only, since nobody knows which inputs are meant.\n", withNoun(unknown, "state"));
  }
  if (partly > 0 && !common.json) {
    fmt::print("{} checked in part only; --whole, or a longer --budget, looks at the rest.\n",
               withNoun(partly, "state"));
  }
  // Silence would be taken for consent.
  if (unchecked && !options.allowUnchecked && status == ExitStatus::kDone) {
    if (!common.json) {
      fmt::print("{} not checked; --allow-unchecked takes that for done.\n", withNoun(missing, "state"));
      flushResults();
    }
    return report(*unchecked);
  }
  return status;
}

}  // namespace

Action declareCheck(CLI::App& command, const Context& context) {
  auto options = std::make_shared<CheckOptions>();
  addTarget(command, options->target);
  command
      .add_option("--budget", options->budget,
                  "Seconds that a state may take; of larger problems a part is run, and it says which")
      ->check(seconds())
      ->capture_default_str();
  command.add_option("--seed", options->seed, "Of the inputs and the sample")
      ->check(CLI::Range(0.0, 1e18))
      ->capture_default_str();
  command.add_flag("--whole", options->whole, "Run everything, whatever it takes");
  command.add_flag("--allow-unchecked", options->allowUnchecked,
                   "Exit with 0 although states weren't run or compared (otherwise 3)");
  return [options, &context] { return check(*options, context.common); };
}

}  // namespace loom::cli
