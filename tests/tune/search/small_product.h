// A small product with what rules make of it, and a measurer whose times come from a formula.
#pragma once
#include <functional>

#include "core/document/ready_function.h"
#include "core/tune/search/measurer.h"
#include "core/tune/search/prepared.h"
#include "tests/document/scheduled.h"
#include "tests/schedules/schedule_text.h"

namespace loom::tune {

inline const schedule::State& smallStart() {
  static const schedule::State start =
      document::openFunction(
          tests::programText("product_of_casts", {{"M", 32}, {"N", 32}, {"K", 16}, {"TYPE", "float32"}}), "f.py")
          .value()
          .history.node(0)
          .state;
  return start;
}

inline const PreparedSearch& smallProduct() {
  static const PreparedSearch prepared =
      prepareSearch(smallStart(), model::findDevice(model::loadDevices(document::assets()).value(), "h200").value(),
                    document::environment())
          .value();
  return prepared;
}

/// Times of kernels by a hash of their keys, half a second each. Those that `dies` names have none.
class FormulaMeasurer : public Measurer {
 public:
  bool device = true;
  std::function<bool(const document::KernelText&)> dies;
  std::size_t measured = 0, calls = 0;

  bool hasDevice() override { return device; }
  std::vector<CompiledKernel> compile(const Kernels& kernels, const gpu::Progress&) override {
    std::vector<CompiledKernel> results;
    for (const auto& kernel : kernels) results.push_back({timeOf(*kernel) * 2, {}});
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

  static double timeOf(const document::KernelText& kernel) {
    return 10 + double(std::hash<std::string>{}(kernel.key) % 1000) / 10;
  }
};

}  // namespace loom::tune
