#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/setup.h"
#include "core/gpu/measuring_pool.h"
#include "core/tune/search/bench_measurer.h"
#include "core/tune/search/journal.h"
#include "core/tune/search/pool_measurer.h"

namespace loom::cli {

/// The options of a verb that measures on many machines.
struct MachineOptions {
  std::vector<std::string> workers;  ///< command lines; "… ×8" stands for eight of them
};

/// Declares --workers. A word "×8" after it, apart from its value, counts too; `target` loses it.
void addWorkers(CLI::App& command, MachineOptions& options, TargetWords& target);

/// The devices that a search measures on: the workers of --workers, or all GPUs of this machine if it has several, or
/// else the device of a bench. Workers are started and ended with the object.
class Machines {
 public:
  /// Opens them. Without `measuring` there is no device. Errors: "ParseError" for a word of --workers.
  static Result<std::unique_ptr<Machines>> open(const MachineOptions& options, const Setup& setup,
                                                const CommonOptions& common, bool measuring);

  document::Bench& bench() { return *bench_; }
  /// Returns the device that measures, or why there is none.
  const Result<gpu::DeviceInfo>& device() { return device_; }
  /// Returns the device that predictions are for: as `cli::modelDevice`, of the device that measures.
  Result<model::Device> modelDevice();
  /// Returns what compiles: "NVRTC 13.0"; "executor" for the CPU device.
  std::string toolkit();

  /// Makes the measurer of the program at the start of `history`, which this keeps. Its results are written to the
  /// journal; without one (null), to none. All that is passed must outlive this.
  tune::Measurer& measurer(const model::Device& model, const document::History& history, tune::Journal* journal);
  /// Prints notes on what was wrong with workers and with the database of results. For the end of a search.
  void printRemarks() const;
  /// Returns how many results came from the journal instead of a device.
  std::size_t replayed() const { return journaled_ ? journaled_->replayed() : 0; }
  /// Returns a line on the workers, "4 workers: 96 jobs done, 2 lost, 1 worker taken out"; empty without workers.
  std::string summary() const;

 private:
  Machines(const Setup& setup, const CommonOptions& common) : setup_(setup), common_(common) {}

  const Setup& setup_;
  const CommonOptions& common_;
  std::unique_ptr<gpu::MeasuringPool> pool_;  // null: the bench measures
  std::unique_ptr<document::Bench> bench_;
  std::unique_ptr<tune::BenchMeasurer> benched_;
  std::unique_ptr<tune::PoolMeasurer> pooled_;
  std::unique_ptr<tune::JournaledMeasurer> journaled_;
  Result<gpu::DeviceInfo> device_ = fail("NoDevice", Message());
};

}  // namespace loom::cli
