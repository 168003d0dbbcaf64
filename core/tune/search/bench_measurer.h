#pragma once

#include "core/document/history.h"
#include "core/document/naive_kernel.h"
#include "core/gpu/workload.h"
#include "core/model/device.h"
#include "core/tune/search/measurer.h"

namespace loom::tune {

/// Returns the timing of an outcome, or else the error that says why there is none: "WrongResult", "Deadline",
/// "WorkerLost", or "LaunchError" for any other failure.
MeasuredKernel measuredKernel(const gpu::Outcome& outcome);

/// A measurer that uses the device of a bench, which compiles and measures kernels on this machine. Results are
/// compared with those of the vendor's library if the program is a matrix product that the library has, or else with
/// those of a naive kernel.
class BenchMeasurer : public Measurer {
 public:
  /// Measures schedules of the program at the start of `history`, the tree of states that its schedules lead to.
  /// Predictions are for `device`. With `again`, kernels that have a stored time from this machine are measured once
  /// more. The bench and the device must outlive this object.
  BenchMeasurer(document::Bench& bench, const model::Device& device, const document::History& history,
                bool again = false);

  /// Returns whether the bench has a device.
  bool hasDevice() override;
  /// Compiles kernels, and predicts their times from the machine code. Returns for each, in the same order, the
  /// predicted time in µs (nothing if there is no disassembler or the model predicts none), or why it couldn't be
  /// compiled. If the bench has no compiler or its device is the CPU, nothing is compiled, and both are missing.
  /// `progress` must not be empty.
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override;
  /// Compiles and measures kernels and checks their results. Returns for each, in the same order, its times in µs or
  /// why it has none, and the seconds that the call took, compilation included. With `sideBySide`, kernels that have a
  /// time already are measured once more, so that all times are from one run. Fails if the bench has no device, or as a
  /// whole measurement fails, for instance because the worker can't be started.
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  /// Returns the stored or recorded time of the vendor's library for the program's matrix product; nothing if there is
  /// none, or the program is no matrix product.
  std::optional<document::VendorLine> vendor() override;

  /// Returns the matrix product that the program computes; nothing if it is none. The precision of its factors is the
  /// lowest of the kernels measured so far (gpu::multipliedAs).
  const std::optional<gpu::Matmul>& product() const { return product_; }
  /// Returns the naive kernel with whose results others are compared; nothing if the program is a matrix product.
  const std::optional<document::KernelText>& naive() const { return naive_; }

 private:
  document::Bench& bench_;
  const model::Device& device_;
  bool again_;
  std::optional<gpu::Matmul> product_;
  std::optional<document::KernelText> naive_;
};

}  // namespace loom::tune
