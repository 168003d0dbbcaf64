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

/// A measurer that uses a pool of worker processes, with one kernel a job. Kernels are compiled on this machine. Times
/// are stored in a database of results; a kernel with a stored time for the same compiler, device, driver and method is
/// not measured again.
class PoolMeasurer : public Measurer {
 public:
  /// A function that is called with each kernel, its result, and the seconds for which a worker had it, as soon as the
  /// result is known. It isn't called for kernels that are measured side by side.
  using Settled = std::function<void(const document::KernelText&, const MeasuredKernel&, double seconds)>;

  /// Prepares to measure schedules of the program at the start of `history`. `here` describes the device of the pool's
  /// workers; predictions are for `device`. `bench` compiles kernels for the architecture in its options; its own
  /// device isn't used. `database` is the file of results; empty: results aren't stored. `settled` may be empty.
  /// `pool`, `bench` and `device` must outlive this object.
  PoolMeasurer(gpu::MeasuringPool& pool, gpu::DeviceInfo here, document::Bench& bench, const model::Device& device,
               const document::History& history, const std::filesystem::path& database, Settled settled = {});
  ~PoolMeasurer() override;

  bool hasDevice() override { return true; }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override;
  /// Measures kernels as Measurer::measure says. Fails with "NoWorker" if no worker is left and with "Cancelled" if the
  /// pool was cancelled; `settled` has then been called for all results that are known.
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  std::optional<document::VendorLine> vendor() override;

  /// Returns what is wrong with the database of results; empty if nothing is.
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
