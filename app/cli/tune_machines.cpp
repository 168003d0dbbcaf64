#include "app/cli/tune_machines.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>

#include "app/cli/progress.h"
#include "core/gpu/worker.h"
#include "core/ir/with_noun.h"

namespace loom::cli {

namespace {

// "×8", a word of its own.
bool isCount(const std::string& word) {
  const std::size_t sign = word.starts_with("×") ? std::string("×").size() : word.starts_with("x") ? 1 : 0;
  return sign > 0 && word.size() > sign && word.find_first_not_of("0123456789", sign) == std::string::npos;
}

// How many GPUs of one model this machine has, as the driver counts them. Nothing is started where there is one.
int gpusHere(const CommonOptions& common) {
  std::error_code error;
  int files = 0;
  for (std::filesystem::directory_iterator it("/dev", error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    files +=
        name.starts_with("nvidia") && name.size() > 6 && name.find_first_not_of("0123456789", 6) == std::string::npos;
  }
  if (files < 2) return 1;
  gpu::WorkerOptions options;
  options.command = ownWorkerCommand();
  gpu::Worker worker(options);
  const auto found = devicesThere(worker, common);
  if (!found || found->empty()) return 1;
  const bool alike = std::ranges::all_of(*found, [&](const auto& d) { return d.name == found->front().name; });
  return alike ? int(found->size()) : 1;
}

}  // namespace

void addWorkers(CLI::App& command, MachineOptions& options, TargetWords& target) {
  command
      .add_option(
          "--workers", options.workers,
          "A command that starts a worker (\"srun -N1 --gres=gpu:1 tileloom worker ×8\": eight); may be repeated")
      ->allow_extra_args(false);
  command.callback([&options, &target] {
    for (auto word = target.words.begin(); !options.workers.empty() && word != target.words.end();) {
      if (!isCount(*word) || std::filesystem::exists(*word)) {
        ++word;
        continue;
      }
      options.workers.back() += " " + *word;
      word = target.words.erase(word);
    }
  });
}

Result<std::unique_ptr<Machines>> Machines::open(const MachineOptions& options, const Setup& setup,
                                                 const CommonOptions& common, bool measuring) {
  std::unique_ptr<Machines> machines(new Machines(setup, common));
  gpu::MeasuringPoolOptions pool;
  for (const std::string& words : options.workers) {
    const auto commands = gpu::workerCommands(words);
    if (!commands) return Failure(commands.error());
    pool.commands.insert(pool.commands.end(), commands->begin(), commands->end());
  }
  if (measuring && options.workers.empty() && common.worker.empty() && common.device == "auto")
    if (const int gpus = gpusHere(common); gpus > 1) pool.commands = gpu::localWorkers(ownWorkerCommand(), gpus);
  document::BenchOptions bench = benchOptions(setup, common, measuring && pool.commands.empty());
  if (measuring && !pool.commands.empty() && common.device != "none") {
    if (common.device != "auto")
      std::from_chars(common.device.data(), common.device.data() + common.device.size(), pool.ordinal);
    const ProgressLine progress;
    progress(withNoun(std::int64_t(pool.commands.size()), "worker") + " asked to start");
    machines->pool_ = std::make_unique<gpu::MeasuringPool>(std::move(pool));
    machines->device_ = machines->pool_->device();
    bench.device = "none";  // ours compiles and measures nothing
    if (machines->device_ && !machines->device_->cpu) bench.architecture = machines->device_->architecture();
  }
  machines->bench_ = std::make_unique<document::Bench>(bench);
  if (!machines->pool_) machines->device_ = machines->bench_->device();
  return machines;
}

Result<model::Device> Machines::modelDevice() {
  if (!pool_ || !common_.model.empty() || !device_ || device_->cpu) return cli::modelDevice(setup_, common_, *bench_);
  document::DeviceSources sources = deviceSources(setup_.assets);
  sources.here = *device_;
  return document::knownDevice(sources, device_->name);
}

std::string Machines::toolkit() {
  if (device_ && device_->cpu) return "executor";
  const auto& compiler = bench_->compiler();
  return compiler ? compiler->name() : "";
}

tune::Measurer& Machines::measurer(const model::Device& model, const document::History& history,
                                   tune::Journal* journal) {
  tune::Measurer* measurer = nullptr;
  if (pool_) {
    tune::PoolMeasurer::Settled written;
    if (journal)
      written = [journal](const document::KernelText& kernel, const tune::MeasuredKernel& result, double seconds) {
        journal->put(kernel.key, result, seconds);
      };
    pooled_ = std::make_unique<tune::PoolMeasurer>(*pool_, *device_, *bench_, model, history,
                                                   gpu::ResultDatabase::defaultFile(), std::move(written));
    measurer = pooled_.get();
  } else {
    benched_ = std::make_unique<tune::BenchMeasurer>(*bench_, model, history);
    measurer = benched_.get();
  }
  if (!journal) return *measurer;
  journaled_ = std::make_unique<tune::JournaledMeasurer>(*journal, *measurer, pool_ != nullptr);
  return *journaled_;
}

std::string Machines::summary() const {
  if (!pool_) return "";
  int answered = 0, lost = 0, out = 0;
  for (const process::WorkerTally& tally : pool_->tallies()) {
    answered += tally.answered;
    lost += tally.lost;
    out += !tally.out.empty();
  }
  std::string line = withNoun(std::int64_t(pool_->tallies().size()), "worker") + ": " +
                     withNoun(std::int64_t(answered), "job") + " done";
  if (lost > 0) line += fmt::format(", {} lost with a worker", lost);
  if (out > 0) line += fmt::format(", {} taken out", withNoun(std::int64_t(out), "worker"));
  return line;
}

void Machines::printRemarks() const {
  if (pooled_ && !pooled_->remark().empty()) note(pooled_->remark());
  if (!pool_) return;
  for (std::size_t n = 0; n < pool_->tallies().size(); ++n) {
    const process::WorkerTally& tally = pool_->tallies()[n];
    const std::string name = fmt::format("worker {} ({})", n + 1, shortened(pool_->commands()[n], 100));
    if (!tally.out.empty()) {
      note(fmt::format("{} was taken out: {}", name, tally.out));
    } else if (tally.lost > 0) {
      note(fmt::format("{} did {} and lost {}; last: {}", name, withNoun(std::int64_t(tally.answered), "job"),
                       tally.lost, tally.last));
    }
  }
}

}  // namespace loom::cli
