#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/measuring_pool.h"
#include "core/tune/search/bench_measurer.h"

namespace loom::tune {

/// Compiles and measures kernels for a search: compiles them on this machine, and measures them in a pool of worker
/// processes. Each kernel is a job of its own, which any worker may get; kernels to be measured side by side are one
/// job together, so that one worker times all of them in the same run. Results are stored in a database, except those
/// of workers that use the CPU. A kernel with a stored result for the same compiler, device, driver and timing method
/// is not measured again, unless kernels are to be measured side by side.
class PoolMeasurer : public Measurer {
 public:
  /// A function that is called with each kernel, its result, and the seconds for which a worker had the kernel (0 if
  /// its result was stored or it couldn't be compiled), as soon as the result is known, on the thread that called
  /// `measure`. The function isn't called for kernels that are measured side by side.
  using Settled = std::function<void(const document::KernelText&, const MeasuredKernel&, double seconds)>;

  /// Prepares to measure schedules of the program at the start of `history`, the tree of states that its schedules lead
  /// to. `here` describes the device of the pool's workers, for which kernels are compiled to be measured; predictions
  /// are for `device`. `bench` compiles kernels, and measures none. `database` is the file of results; empty: results
  /// are kept only in memory. `settled` may be empty. `pool`, `bench` and `device` must outlive this object.
  PoolMeasurer(gpu::MeasuringPool& pool, gpu::DeviceInfo here, document::Bench& bench, const model::Device& device,
               const document::History& history, const std::filesystem::path& database, Settled settled = {});
  ~PoolMeasurer() override;

  /// Returns whether kernels can be measured: always, by the workers.
  bool hasDevice() override { return true; }
  /// Compiles kernels for `bench`'s own device, or else for the one that is predicted for, and predicts their times
  /// from the machine code. Returns for each, in the same order, the predicted time in µs (nothing if the model
  /// predicts none), or why it couldn't be compiled. If the workers use the CPU, nothing is compiled, and both are
  /// missing. `progress` must not be empty.
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override;
  /// Compiles and measures kernels and checks their results. Returns for each, in the same order, its times in µs or
  /// why it has none, and the seconds for which workers had the jobs, all workers together. With `sideBySide`, all
  /// kernels are measured, also those with a stored result, in one run on one device, so that their times can be
  /// compared. `progress` may be empty. Fails with "NoWorker" if no worker is left, and with "Cancelled" if the
  /// measurement was cancelled; without `sideBySide`, `settled` has then been called for all results that are known.
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  /// Returns the time of the vendor's library for the program's matrix product, with factors rounded as the measured
  /// kernels round them (float32 as tf32): from the last measurement that timed the library, or else from the database.
  /// Nothing if neither has one, if the program is no matrix product, or if the workers use the CPU.
  std::optional<document::VendorLine> vendor() override;

  /// Returns why the database couldn't be opened, or why a result couldn't be stored in it; empty if all went well.
  const Message& remark() const { return remark_; }

 private:
  // The binaries of kernels, and a job for them without candidates.
  struct Binaries {
    std::vector<Result<compile::Binary>> kernels;
    std::string compiler;
    gpu::Job frame;
  };
  Binaries compileAll(const Kernels& kernels, const gpu::Progress& progress);
  gpu::Candidate candidateOf(const document::KernelText& kernel, const Result<compile::Binary>* binary,
                             std::size_t number) const;
  std::optional<gpu::Outcome> known(const std::string& source, const std::string& compiler) const;
  void keep(const std::string& source, const std::string& compiler, const gpu::Outcome& outcome);
  void keepVendor(const gpu::VendorOutcome& vendor);

  gpu::MeasuringPool& pool_;
  gpu::DeviceInfo here_;
  document::Bench& bench_;
  BenchMeasurer compiling_;
  Settled settled_;
  std::optional<gpu::Matmul> product_;
  std::optional<document::KernelText> naive_;
  gpu::Method method_;
  std::unique_ptr<gpu::ResultDatabase> results_;
  std::optional<document::VendorLine> vendor_;
  Message remark_;
};

}  // namespace loom::tune
