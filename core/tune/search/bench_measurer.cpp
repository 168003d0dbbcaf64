#include "core/tune/search/bench_measurer.h"

#include <chrono>

#include "core/compile/toolkit.h"
#include "core/process/on_all_cores.h"
#include "core/tune/size_sweep.h"

namespace loom::tune {

MeasuredKernel measuredKernel(const gpu::Outcome& outcome) {
  using Status = gpu::Outcome::Status;
  if (outcome.status == Status::Measured) return {outcome.timing, {}};
  const char* code = outcome.status == Status::Wrong      ? "WrongResult"
                     : outcome.status == Status::Deadline ? "Deadline"
                     : outcome.status == Status::Lost     ? "WorkerLost"
                                                          : "LaunchError";
  return {{}, fail(code, outcome.message, Forbids::Hardware).value()};
}

BenchMeasurer::BenchMeasurer(document::Bench& bench, const model::Device& device, const document::History& history,
                             bool again)
    : bench_(bench), device_(device), again_(again) {
  const schedule::State& start = history.node(0).state;
  product_ = gpu::recognizeMatmul(document::functionAt(start, history.sizes()));
  if (!product_) naive_ = document::naiveKernel(start, {});
}

bool BenchMeasurer::hasDevice() { return bench_.device().has_value(); }

std::vector<CompiledKernel> BenchMeasurer::compile(const Kernels& kernels, const gpu::Progress& progress) {
  std::vector<CompiledKernel> results(kernels.size());
  if ((bench_.device() && bench_.device()->cpu) || !bench_.compiler()) return results;
  std::vector<compile::Text> texts;
  for (const auto& kernel : kernels) texts.emplace_back(kernel->source);
  std::size_t done = 0;
  const std::string architecture = bench_.device() ? bench_.architecture() : device_.architecture();
  const auto binaries = bench_.compileAll(texts, architecture, [&](std::size_t, const auto&) {
    progress(message("{} of {} compiled", ++done, kernels.size()));
  });
  // The machine code's model runs some warps of each kernel: a second's work, on all cores but one.
  const auto& toolkit = bench_.toolkit();
  process::onAllCores(kernels.size(), [&](std::size_t n) {
    if (!binaries[n]) {
      results[n].death = binaries[n].error();
      return;
    }
    SweptState state;
    state.kernel = kernels[n];
    Result<std::string> sass = fail("NoSass", Message());
    if (toolkit) sass = compile::disassemble(*toolkit, *binaries[n]);
    predict(state, device_, &*binaries[n], &sass);
    if (state.predicted && state.predicted->asCompiled) results[n].predicted = state.predicted->microseconds;
  });
  return results;
}

Result<MeasuredBatch> BenchMeasurer::measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<document::Bench::Request> requests;
  for (const auto& kernel : kernels) {
    requests.push_back({std::to_string(requests.size() + 1), kernel.get()});
    if (product_ && product_->factorDigits == 0) product_ = gpu::multipliedAs(*product_, kernel->source);
  }
  bench_.setAgain(sideBySide || again_);
  const auto times = bench_.measure(requests, product_, progress, naive_ ? &*naive_ : nullptr);
  bench_.setAgain(false);
  if (!times) return Failure(times.error());
  MeasuredBatch batch;
  for (const document::KnownTime& time : *times)
    batch.kernels.push_back(time.result ? measuredKernel(time.result->outcome) : MeasuredKernel{{}, time.problem});
  batch.deviceSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return batch;
}

std::optional<document::VendorLine> BenchMeasurer::vendor() {
  return product_ ? bench_.knownVendor(*product_) : std::nullopt;
}

}  // namespace loom::tune
