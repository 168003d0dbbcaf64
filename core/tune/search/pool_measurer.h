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

/// Measures on many workers, one kernel a job. Kernels are compiled on this machine. Times are kept in the database of
/// results, and one that is there for the same kernel, compiler, device, driver and method is not measured again.
class PoolMeasurer : public Measurer {
 public:
  /// Called with each kernel, what measuring it came to, and the seconds that workers had it, as soon as that is known;
  /// not for kernels side by side.
  using Settled = std::function<void(const document::KernelText&, const MeasuredKernel&, double seconds)>;

  /// Measures schedules of the program at the start of `history`. `here` is the device of the pool's workers. The bench
  /// compiles, for the architecture in its options; its own device isn't used. `database` is the file of results;
  /// empty: none are kept. What is passed by reference, except `history`, must outlive this object.
  PoolMeasurer(gpu::MeasuringPool& pool, gpu::DeviceInfo here, document::Bench& bench, const model::Device& device,
               const document::History& history, const std::filesystem::path& database, Settled settled = {});
  ~PoolMeasurer() override;

  bool hasDevice() override { return true; }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override;
  /// Fails where no worker is left, with "NoWorker": what was settled before has been told to `Settled`.
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  std::optional<document::VendorLine> vendor() override;

  /// Returns what is wrong with the database of results; empty if nothing is.
  const Message& remark() const { return remark_; }

 private:
  // What kernels compiled to, and what a job needs beside a candidate.
  struct Binaries {
    std::vector<Result<compile::Binary>> kernels;
    std::string compiler;
    gpu::Job frame;  // without candidates
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
