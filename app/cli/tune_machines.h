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

/// The options of a command-line verb that measures on many machines.
struct MachineOptions {
  std::vector<std::string> workers;  ///< shell commands that start workers; "COMMAND ×8" starts eight
};

/// Declares the option --workers. A separate word "×8" or "x8" on the command line is appended to the last --workers
/// and removed from `target`, the words that name the program to open, unless it names a file. `options` and `target`
/// must outlive the parsing of the command line.
void addWorkers(CLI::App& command, MachineOptions& options, TargetWords& target);

/// The devices that a search measures on. With --workers they are those of its workers, each of which uses the device
/// whose ordinal --device gives, or else the one with the ordinal 0. Without --workers they are all GPUs of this
/// machine, each with a worker, if it has several, all of one model, and neither --device nor --worker (the command of
/// a single worker) is given; else the one device of a document::Bench. The workers run for as long as the object
/// lives.
class Machines {
 public:
  /// Starts the workers, or makes the Bench. Without `measuring` there is no device. `setup` and `common`, not
  /// `options`, must outlive the object. Error: "ParseError" for a command of --workers that can't be read; if workers
  /// can't start, that is no error here: `device` says why.
  static Result<std::unique_ptr<Machines>> open(const MachineOptions& options, const Setup& setup,
                                                const CommonOptions& common, bool measuring);

  /// Returns the Bench that compiles, and measures too if there are no workers.
  document::Bench& bench() { return *bench_; }
  /// Returns the device that measures, or why there is none.
  const Result<gpu::DeviceInfo>& device() { return device_; }
  /// Returns the device that predictions are for: that of --model, or else the GPU that measures, or else the device of
  /// the first recording (document::Bench::recordings), or else NVIDIA H200. Returns an error if that device's
  /// description isn't found or can't be read.
  Result<model::Device> modelDevice();
  /// Returns the name of the compiler: "NVRTC 13.0"; "executor" for the CPU device; empty if there is no compiler.
  std::string toolkit();

  /// Makes the measurer, which compiles and times schedules of the program at the start of `history`, and returns it;
  /// this object owns it until the next call, which replaces it. `model` is the device that predictions are for. If
  /// `journal`, the log of a search, is not null, results are read from and written to it. With workers, `device` must
  /// not be an error. The arguments must outlive the measurer.
  tune::Measurer& measurer(const model::Device& model, const document::History& history, tune::Journal* journal);
  /// Prints notes on stderr about what was wrong with workers and with the database of results. To be called at the end
  /// of a search.
  void printRemarks() const;
  /// Returns how many results came from the journal instead of a device.
  std::size_t replayed() const { return journaled_ ? journaled_->replayed() : 0; }
  /// Returns a line on the workers, "4 workers: 96 jobs done, 2 lost with a worker, 1 worker taken out"; empty without
  /// workers.
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
