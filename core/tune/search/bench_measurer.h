#pragma once

#include "core/document/history.h"
#include "core/document/naive_kernel.h"
#include "core/gpu/workload.h"
#include "core/model/device.h"
#include "core/tune/search/measurer.h"

namespace loom::tune {

/// Returns the time of an outcome, or else its death by the code of its reason.
MeasuredKernel measuredKernel(const gpu::Outcome& outcome);

/// Measures on the device of a bench. Results are judged by the vendor's library where the program is a product that it
/// has, or else by a naive kernel.
class BenchMeasurer : public Measurer {
 public:
  /// Measures schedules of the program at the start of `history`. Predictions are for `device`. With `again`, kernels
  /// that have a time from here are measured once more. The bench and the device must outlive this object.
  BenchMeasurer(document::Bench& bench, const model::Device& device, const document::History& history,
                bool again = false);

  bool hasDevice() override;
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress& progress) override;
  Result<MeasuredBatch> measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) override;
  std::optional<document::VendorLine> vendor() override;

  /// Returns the product that the program is; nothing if it is none. It keeps of its factors what the kernels measured
  /// until now keep (gpu::multipliedAs), and of kernels that differ what the less exact ones do.
  const std::optional<gpu::Matmul>& product() const { return product_; }
  /// Returns the kernel that judges what is no product; nothing for products.
  const std::optional<document::KernelText>& naive() const { return naive_; }

 private:
  document::Bench& bench_;
  const model::Device& device_;
  bool again_;
  std::optional<gpu::Matmul> product_;
  std::optional<document::KernelText> naive_;
};

}  // namespace loom::tune
