#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/progress.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/document/file.h"
#include "core/document/program.h"
#include "core/ir/with_noun.h"

namespace loom::cli {
namespace {

struct RecordOptions {
  TargetWords target;
  std::string output;
  double deadline = 20;
};

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

  std::vector<document::KernelText> kernels;
  std::vector<document::Bench::Request> requests;
  std::vector<Row> rows = rowsOf(*target, "en");
  const document::History& h = target->history;
  for (const Row& row : rows) {
    kernels.push_back(document::makeKernel(
        h.node(row.node).state, [&](ir::Id id) { return h.describe(row.node, id); }, 0, h.sizes()));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const document::Line* step = h.node(rows[i].node).step();
    requests.push_back({fmt::format("{} {}", h.node(rows[i].node).number, step ? step->source : "start"), &kernels[i]});
  }
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
    recording.workload = gpu::workloadKey(*matmul);
    if (auto vendor = service.knownVendor(*matmul)) recording.vendor = vendor->outcome;
  }
  ExitStatus status = ExitStatus::kDone;
  std::vector<std::string> seen;
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
  return [options, &context] { return record(*options, context.common); };
}

}  // namespace loom::cli
