#include "core/tune/search/pool_measurer.h"

#include "core/document/measured_kernel.h"

namespace loom::tune {

PoolMeasurer::PoolMeasurer(gpu::MeasuringPool& pool, gpu::DeviceInfo here, document::Bench& bench,
                           const model::Device& device, const document::History& history,
                           const std::filesystem::path& database, Settled settled)
    : pool_(pool),
      here_(std::move(here)),
      bench_(bench),
      compiling_(bench, device, history),
      settled_(std::move(settled)),
      product_(compiling_.product()),
      naive_(compiling_.naive()),
      results_(gpu::ResultDatabase::inMemory()) {
  if (naive_ && naive_->problem) naive_.reset();
  if (here_.cpu || database.empty()) return;
  if (auto opened = gpu::ResultDatabase::open(database)) {
    results_ = std::move(*opened);
  } else {
    remark_ = opened.error().message;
  }
}

PoolMeasurer::~PoolMeasurer() = default;

std::vector<CompiledKernel> PoolMeasurer::compile(const Kernels& kernels, const gpu::Progress& progress) {
  if (here_.cpu) return std::vector<CompiledKernel>(kernels.size());
  return compiling_.compile(kernels, progress);
}

PoolMeasurer::Binaries PoolMeasurer::compileAll(const Kernels& kernels, const gpu::Progress& progress) {
  Binaries all;
  all.frame.matmul = product_;
  all.frame.method = method_;
  all.compiler = "executor";
  if (here_.cpu) {
    if (naive_) all.frame.naive = document::executedCandidate("naive", *naive_);
    return all;
  }
  std::vector<compile::Text> texts;
  for (const auto& kernel : kernels) texts.emplace_back(kernel->source);
  if (product_) texts.emplace_back(gpu::referenceSource(*product_));
  if (naive_) texts.emplace_back(naive_->source);
  std::size_t done = 0;
  all.kernels = bench_.compileAll(texts, here_.architecture(), [&](std::size_t, const auto&) {
    if (progress) progress(message("{} of {} compiled", ++done, texts.size()));
  });
  if (const auto& judge = all.kernels.back(); judge && product_)
    all.frame.reference = gpu::Candidate{"reference", judge->cubin, {}, {}, {}, {}};
  else if (judge && naive_)
    all.frame.naive = document::compiledCandidate("naive", *naive_, judge->cubin);
  all.kernels.erase(all.kernels.begin() + std::ptrdiff_t(kernels.size()), all.kernels.end());
  for (const auto& binary : all.kernels)
    if (binary) all.compiler = binary->compiler;
  return all;
}

gpu::Candidate PoolMeasurer::candidateOf(const document::KernelText& kernel, const Result<compile::Binary>* binary,
                                         std::size_t number) const {
  const std::string label = std::to_string(number);
  return binary ? document::compiledCandidate(label, kernel, (*binary)->cubin)
                : document::executedCandidate(label, kernel);
}

std::optional<gpu::Outcome> PoolMeasurer::known(const std::string& source, const std::string& compiler) const {
  const auto stored = results_->find(source, here_.name);
  const gpu::ResultKey now{source, compiler, here_.name, here_.driver, method_.name()};
  if (!stored || stored->key.compiler != now.compiler || stored->key.driver != now.driver ||
      stored->key.method != now.method)
    return std::nullopt;
  return stored->outcome;
}

void PoolMeasurer::keep(const std::string& source, const std::string& compiler, const gpu::Outcome& outcome) {
  if (here_.cpu) return;  // a time of the CPU executor is never kept
  const gpu::ResultKey key{source, compiler, here_.name, here_.driver, method_.name()};
  const auto stored = results_->put({key, outcome, document::Bench::today(), gpu::ResultOrigin::Measured});
  if (!stored) remark_ = stored.error().message;
}

void PoolMeasurer::keepVendor(const gpu::VendorOutcome& vendor) {
  if (!product_ || !vendor.available || here_.cpu) return;
  vendor_ = document::VendorLine{vendor, here_.name, document::Bench::today()};
  keep("vendor " + gpu::workloadKey(*product_), "cuBLASLt " + vendor.version, vendor.outcome());
}

Result<MeasuredBatch> PoolMeasurer::measure(const Kernels& kernels, bool sideBySide, const gpu::Progress& progress) {
  // The vendor's product keeps of its factors what the less exact kernels do, as BenchMeasurer's.
  for (const auto& kernel : kernels) {
    if (!product_ || product_->factorDigits != 0 || kernel->source.factorDigits == 0) continue;
    product_ = gpu::multipliedAs(*product_, kernel->source);
    vendor_.reset();
  }
  const Binaries binaries = compileAll(kernels, progress);
  MeasuredBatch batch;
  batch.kernels.resize(kernels.size());
  std::vector<gpu::Job> jobs;
  std::vector<std::vector<std::size_t>> kernelsOf;  // of each job
  bool timesVendor = false;                         // whether a job does
  const auto settle = [&](std::size_t n, MeasuredKernel result, double seconds) {
    batch.kernels[n] = std::move(result);
    batch.deviceSeconds += seconds;
    if (settled_ && !sideBySide) settled_(*kernels[n], batch.kernels[n], seconds);
  };
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    const Result<compile::Binary>* binary = here_.cpu ? nullptr : &binaries.kernels[n];
    if (binary && !*binary) {
      settle(n, {{}, binary->error()}, 0);
      continue;
    }
    if (!sideBySide) {
      if (const auto outcome = known(kernels[n]->key, binaries.compiler)) {
        settle(n, measuredKernel(*outcome), 0);
        continue;
      }
    }
    if (jobs.empty() || !sideBySide) {
      jobs.push_back(binaries.frame);
      kernelsOf.emplace_back();
      gpu::Job& job = jobs.back();
      if (!sideBySide && product_) job.matmul = gpu::multipliedAs(*product_, kernels[n]->source);
      // The vendor's library takes longer than a kernel: it is timed with the first, and with the last ones once more.
      if (!sideBySide && (timesVendor || vendor() || job.matmul != product_)) job.method.vendorAlgorithms = 0;
      timesVendor |= job.method.vendorAlgorithms > 0;
    }
    jobs.back().candidates.push_back(candidateOf(*kernels[n], binary, n + 1));
    kernelsOf.back().push_back(n);
  }
  std::optional<Error> nobody;
  const auto done = [&](std::size_t job, const Result<gpu::Report>& report, double seconds) {
    const double each = seconds / double(kernelsOf[job].size());
    if (!report && (report.error().code == "NoWorker" || report.error().code == "Cancelled")) {
      nobody = report.error();
      return;
    }
    if (report) keepVendor(report->vendor);
    for (std::size_t c = 0; c < kernelsOf[job].size(); ++c) {
      const std::size_t n = kernelsOf[job][c];
      if (report) {
        const gpu::Outcome& outcome = report->outcomes[c];
        keep(kernels[n]->key, binaries.compiler, outcome);
        settle(n, measuredKernel(outcome), each);
      } else {
        settle(n, {{}, report.error()}, each);
      }
    }
  };
  (void)pool_.measure(jobs, done, progress);
  if (nobody) return Failure(*nobody);
  return batch;
}

std::optional<document::VendorLine> PoolMeasurer::vendor() {
  if (!product_ || here_.cpu || vendor_) return vendor_;
  if (const auto stored = results_->find("vendor " + gpu::workloadKey(*product_), here_.name)) {
    gpu::VendorOutcome known;
    known.available = true;
    known.version = stored->outcome.message.english();
    known.timing = stored->outcome.timing;
    known.error = stored->outcome.error;
    vendor_ = document::VendorLine{known, here_.name, stored->date};
  }
  return vendor_;
}

}  // namespace loom::tune
