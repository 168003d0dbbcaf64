#include "app/session/tools.h"

namespace loom::session {

namespace {

document::BenchOptions onlyCompiling(document::BenchOptions options) {
  options.device = "none";
  options.workerCommand.clear();
  options.database.clear();
  options.architecture.clear();
  return options;
}

}  // namespace

Tools::Tools(const Options& options)
    : bench(std::make_unique<document::Bench>(document::BenchOptions{})),
      compiler(std::make_unique<document::Bench>(onlyCompiling(options.bench))),
      database(options.bench.database),
      localWorkerCommand(options.bench.localWorkerCommand),
      devices(std::make_shared<DeviceCache>(
          document::DeviceSources{options.assets, options.dataFolder, std::nullopt, {}})) {}

}  // namespace loom::session
