#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/setup.h"
#include "app/cli/verb_list.h"
#include "core/document/file.h"
#include "core/gpu/result_database.h"

namespace loom::cli {
namespace {

struct ProbeOptions {
  std::string output;
  bool keep = false;
};

void print(const gpu::Shown& shown) {
  if (shown.ceiling) {
    fmt::print("{:<26} {:8.1f}   {:8.1f} … {:8.1f} in {} launches; {}\n", nameOf(shown.ceiling->figure), shown.median,
               shown.least, shown.most, shown.launches, shown.ceiling->how);
  } else {
    fmt::print("wmma {:<16} {}\n", shown.fragment->fragment,
               shown.layout ? shown.layout->text() : shown.layout.error().message.english());
  }
}

ExitStatus probe(const ProbeOptions& options, const CommonOptions& common) {
  if (!options.output.empty()) {
    if (auto place = document::canWrite(options.output); !place) return report(place.error());
  }
  auto setup = openSetup();
  if (!setup) return report(setup.error());
  document::Bench bench(benchOptions(*setup, common, true));
  const auto& device = bench.device();
  if (device && !device->cpu) fmt::print("{}, {}\n", device->name, device->architecture());
  const auto probed = bench.probe(print);
  if (!probed) return report(probed.error());
  if (!options.output.empty()) {
    if (auto written = document::writeFile(options.output, probed->text()); !written) return report(written.error());
    fmt::print("{}: written\n", options.output);
  }
  if (options.keep) {
    auto kept = document::keepProbed(gpu::ResultDatabase::defaultFile().parent_path(), *probed);
    if (!kept) return report(kept.error());
    fmt::print("{}: kept\n", kept->string());
  }
  return ExitStatus::kDone;
}

}  // namespace

Action declareProbe(CLI::App& command, const Context& context) {
  auto options = std::make_shared<ProbeOptions>();
  command.add_option("-o,--output", options->output, "File of assets/probed to write")->check(aName());
  command.add_flag("--keep", options->keep, "Keep it with your results: models and the window take it in");
  return [options, &context] { return probe(*options, context.common); };
}

}  // namespace loom::cli
