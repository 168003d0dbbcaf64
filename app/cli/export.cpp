#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/cli/counted_progress.h"
#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "app/report/report.h"
#include "core/document/file.h"
#include "core/document/step_remarks.h"

namespace loom::cli {
namespace {

struct ExportOptions {
  TargetWords target;
  std::string as, output, chapter;
  int step = -1;
};

ExitStatus run(const ExportOptions& options, const CommonOptions& common) {
  if ((options.as == "project" || options.as == "database") && options.output == "-") {
    toStderr("tileloom: a {} is a folder; it can't go to standard output\nTry `tileloom --help`.\n", options.as);
    return ExitStatus::kUsage;
  }
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  auto target = openTarget(options.target, *setup);
  if (!target) return report(target.error());
  if (target->refusal) return report(*target->refusal);
  auto node = nodeOf(*target, options.chapter, options.step);
  if (!node) return report(node.error());
  const bool compiles = options.as == "ptx" || options.as == "sass";
  document::BenchOptions setting = benchOptions(*setup, common, wantsDevice(common));
  if (compiles) {
    auto architecture = modelArchitecture(*setup, common);
    if (!architecture) return report(architecture.error());
    setting.architecture = *architecture;
  }
  document::Bench bench(setting);
  const bool ours = options.as == "report" || options.as == "csv";
  // Of a lesson they show all chapters, unless one state is asked for.
  if (ours && options.step < 0 && options.chapter.empty() && target->lesson && !target->file) {
    node = report::kWholeLesson;
  }
  if (compiles && wantsDevice(common) && !bench.device()) return report(bench.device().error());
  auto files = [&] {
    CountedProgress states("states worked out and compiled");
    return report::exportState(*target, *node, options.as, bench, setup->environment(),
                               text::languageOf(languageOf(common)), [&](int done, int of) {
                                 states(done, of);
                                 return true;
                               });
  }();
  if (!files) return report(files.error());
  // What the schedule says and a kernel doesn't do, where the kernel is what is written.
  if (options.as == "cuda" || options.as == "ptx" || options.as == "sass" || options.as == "project") {
    const document::Node& n = target->history.node(*node);
    KernelRemarks remarks;
    for (int at : target->history.path(*node))
      remarks.add(target->history.node(at).number, document::remarksOnStep(target->history, at));
    remarks.add(n.number, document::makeKernel(n.state, {}, 0, target->history.sizes()));
    remarks.print();
  }
  if (options.output == "-") {
    for (const auto& [name, content] : *files) fmt::print("{}", content);
  } else if (auto written = document::writeFiles(options.output, *files); !written) {
    return report(written.error());
  }
  return ExitStatus::kDone;
}

}  // namespace

Action declareExport(CLI::App& command, const Context& context) {
  auto options = std::make_shared<ExportOptions>();
  addTarget(command, options->target);
  command.add_option("--as", options->as, "What to write")->required()->check(CLI::IsMember(report::exportKinds()));
  command.add_option("-o,--output", options->output, "File or, for a project or database, folder; - for standard output")
      ->required()
      ->check(aName());
  command.add_option("--step", options->step, "The state after this step (default: the last)")->check(stepNumber());
  command.add_option("--chapter", options->chapter, "Of a lesson: the path to this chapter's end (default: the last)")
      ->check(aName());
  return [options, &context] { return run(*options, context.common); };
}

}  // namespace loom::cli
