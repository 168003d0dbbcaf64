#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "app/cli/progress.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/document/file.h"
#include "core/document/program.h"
#include "core/ir/with_noun.h"
#include "core/tune/rules/built.h"
#include "core/tune/rules/configured.h"

namespace loom::cli {
namespace {

struct RecordOptions {
  TargetWords target;
  std::string output;
  double deadline = 20;
  bool chapters = false, missing = false;
};

// Kernels to record, each once, and what they are called.
struct RecordedKernels {
  std::vector<document::KernelText> kernels;
  std::vector<std::string> labels;
  std::set<std::string> seen;

  void add(std::string label, document::KernelText kernel) {
    if (!kernel.problem && !seen.insert(kernel.key).second) return;
    kernels.push_back(std::move(kernel));
    labels.push_back(std::move(label));
  }

  // Leaves out the kernels that a recording which comes with the program has on the same device.
  void keepMissing(document::Bench& bench) {
    RecordedKernels kept;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (!bench.known(kernels[i]).result) kept.add(std::move(labels[i]), std::move(kernels[i]));
    *this = std::move(kept);
  }
};

// The states of a target; with `chapters` only those at the ends of chapters with steps.
void addStates(RecordedKernels& all, const document::Target& target, bool chapters) {
  const document::History& h = target.history;
  for (const Row& row : rowsOf(target, "en")) {
    const document::Line* step = h.node(row.node).step();
    if (chapters && (!step || std::ranges::count(target.chapterNodes, row.node) == 0)) continue;
    auto kernel = document::makeKernel(
        h.node(row.node).state, [&](ir::Id id) { return h.describe(row.node, id); }, 0, h.sizes());
    all.add(fmt::format("{} {}", h.node(row.node).number, step ? step->source : "start"), std::move(kernel));
  }
}

// The configurations that chapters of a lesson compare.
std::optional<Error> addConfigurations(RecordedKernels& all, const document::Target& target,
                                       const schedule::Environment& environment) {
  for (const document::Chapter& chapter : target.lesson ? target.lesson->chapters : std::vector<document::Chapter>()) {
    if (!chapter.configurations) continue;
    const auto sketch = tune::sketchOf(*chapter.configurations, "en");
    if (!sketch) return sketch.error();
    for (const tune::Assignment& schedule : tune::allSchedules(sketch->space)) {
      const auto lines = tune::linesOf(*sketch, schedule);
      if (!lines) return lines.error();
      auto made = tune::madeByLines(target.history.node(0).state, *lines, environment);
      if (!made) return made.error();
      all.add(fmt::format("{} {}", sketch->name, tune::nameOf(sketch->space, schedule)), std::move(made->kernel));
    }
  }
  return std::nullopt;
}

ExitStatus record(const RecordOptions& options, const CommonOptions& common) {
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) return report(*target->refusal);
  if (auto place = document::canWrite(options.output); !place) return report(place.error());
  document::BenchOptions bench = benchOptions(*setup, common, true);
  bench.deadlineSeconds = options.deadline;
  bench.again = true;
  bench.database.clear();  // a recording is one run, not a collection of older ones
  document::Bench service(bench);
  if (!service.device()) return report(service.device().error());
  if (service.device()->cpu) {
    return report(
        fail("NoDevice", message("a recording needs a GPU: the CPU executor's times are no measurements")).value());
  }

  RecordedKernels all;
  addStates(all, *target, options.chapters);
  if (auto problem = addConfigurations(all, *target, setup->environment())) return report(*problem);
  if (options.missing) {
    all.keepMissing(service);
    if (std::ranges::all_of(all.kernels, [](const auto& k) { return k.problem.has_value(); })) {
      fmt::print("every state is recorded on {}\n", service.device()->name);
      return ExitStatus::kDone;
    }
  }
  const std::vector<document::KernelText>& kernels = all.kernels;
  std::vector<document::Bench::Request> requests;
  for (std::size_t i = 0; i < kernels.size(); ++i) requests.push_back({all.labels[i], &kernels[i]});
  const document::History& h = target->history;
  auto matmul = gpu::recognizeMatmul(document::functionAt(h.node(0).state, h.sizes()));
  auto timed = [&] {
    ProgressLine progress;
    return service.measure(requests, matmul, [&](const std::string& what) { progress(what); });
  }();
  if (!timed) return report(timed.error());

  gpu::Recording recording;
  recording.target = target->title;
  recording.date = document::Bench::today();
  recording.program = document::kProgram;
  recording.device = *service.device();
  recording.method = bench.method.name();
  if (matmul) {
    if (!kernels.empty()) matmul = gpu::multipliedAs(*matmul, kernels.back().source);
    recording.workload = gpu::workloadKey(*matmul);
    if (auto vendor = service.knownVendor(*matmul)) recording.vendor = vendor->outcome;
  }
  ExitStatus status = ExitStatus::kDone;
  for (std::size_t i = 0; i < timed->size(); ++i) {
    const document::KnownTime& t = (*timed)[i];
    if (!t.result) continue;
    recording.compiler = t.result->key.compiler;
    recording.entries.push_back({kernels[i].key, t.result->outcome});
    if (t.result->outcome.status == gpu::Outcome::Status::Wrong) {
      toStderr("wrong: step {}: {}\n", requests[i].label, t.result->outcome.message);
      status = ExitStatus::kWrong;
    }
  }
  if (auto written = document::writeFile(options.output, gpu::writeRecording(recording)); !written)
    return report(written.error());
  fmt::print("{}: {} on {}\n", options.output, withNoun(std::int64_t(recording.entries.size()), "state"),
             recording.device.name);
  return status;
}

}  // namespace

Action declareRecord(CLI::App& command, const Context& context) {
  auto options = std::make_shared<RecordOptions>();
  addTarget(command, options->target);
  command.add_option("-o,--output", options->output, "File of assets/recorded to write")->required()->check(aName());
  command.add_option("--deadline", options->deadline, "Seconds that a kernel may run")
      ->check(seconds())
      ->capture_default_str();
  command.add_flag("--chapters", options->chapters,
                   "Of a lesson's states only those at the ends of its chapters; its configurations always");
  command.add_flag("--missing", options->missing, "Only states that no file of assets/recorded has for the device");
  return [options, &context] { return record(*options, context.common); };
}

}  // namespace loom::cli
