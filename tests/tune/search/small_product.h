// A small matrix product (32 × 32 × 16, float32) with the schedules that rules make of it, and a measurer without a
// GPU.
#pragma once
#include <functional>

#include "core/document/ready_function.h"
#include "core/tune/search/measurer.h"
#include "core/tune/search/prepared.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::tune {

// Returns the product before any step.
inline const schedule::State& smallStart() {
  static const schedule::State start =
      document::openFunction(
          tests::programText("product_of_casts", {{"M", 32}, {"N", 32}, {"K", 16}, {"TYPE", "float32"}}), "f.py")
          .value()
          .history.node(0)
          .state;
  return start;
}

// Returns what a search over the product's schedules on the H200 begins with: its sketches (schedules with open
// decisions) and the counts of their schedules.
inline const PreparedSearch& smallProduct() {
  static const PreparedSearch prepared =
      prepareSearch(smallStart(), model::findDevice(model::loadDevices(document::assets()).value(), "h200").value(),
                    document::environment())
          .value();
  return prepared;
}

/// A measurer (which tells a search the times of kernels) with made-up times of 10 to 110 µs, by a hash of the kernel.
/// Measuring a kernel counts as half a second of the device.
class FormulaMeasurer : public Measurer {
 public:
  bool device = true;                                     ///< whether there is a device to measure on
  std::function<bool(const document::KernelText&)> dies;  ///< whether a kernel's result is wrong; empty: none's
  std::function<bool(const document::KernelText&)> failsToCompile;  ///< empty: none does
  std::size_t measured = 0, calls = 0;  ///< numbers of kernels measured, and of calls of `measure`

  bool hasDevice() override { return device; }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress&) override {
    std::vector<CompiledKernel> results;
    for (const auto& kernel : kernels) {
      CompiledKernel result{timeOf(*kernel) * 2, {}};
      if (failsToCompile && failsToCompile(*kernel)) result = {{}, fail("CompileError", verbatim("no")).value()};
      results.push_back(std::move(result));
    }
    return results;
  }
  Result<MeasuredBatch> measure(const Kernels& kernels, bool, const gpu::Progress&) override {
    MeasuredBatch batch;
    ++calls;
    for (const auto& kernel : kernels) {
      MeasuredKernel result;
      if (dies && dies(*kernel)) {
        result.death = fail("WrongResult", verbatim("it is wrong")).value();
      } else {
        result.timing.emplace().median = timeOf(*kernel);
      }
      batch.kernels.push_back(std::move(result));
    }
    measured += kernels.size();
    batch.deviceSeconds = 0.5 * double(kernels.size());
    return batch;
  }
  std::optional<document::VendorLine> vendor() override { return std::nullopt; }

  /// Returns the time of a kernel in µs; the time predicted from its machine code is twice that.
  static double timeOf(const document::KernelText& kernel) {
    return 10 + double(std::hash<std::string>{}(kernel.key) % 1000) / 10;
  }
};

}  // namespace loom::tune
