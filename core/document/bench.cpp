#include "core/document/bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/document/lesson.h"

namespace loom::document {
namespace fs = std::filesystem;

struct Bench::Parts {
  std::unique_ptr<gpu::Worker> worker;
  std::unique_ptr<gpu::Results> results;
  std::optional<Result<gpu::DeviceInfo>> device;
  std::optional<Result<compile::Toolkit>> toolkit;
  std::optional<Result<std::shared_ptr<const compile::Compiler>>> compiler;
  std::optional<std::vector<gpu::Recording>> recordings;
  std::map<std::string, gpu::VendorOutcome> vendor;  // measured in this session, by workload
};

Bench::Bench(BenchOptions options) : options_(std::move(options)), parts_(std::make_unique<Parts>()) {
  if (!options_.database.empty()) {
    if (auto opened = gpu::Results::open(options_.database)) parts_->results = std::move(*opened);
  }
  if (!parts_->results) parts_->results = gpu::Results::inMemory();
}
Bench::~Bench() = default;

std::string Bench::today() {
  std::time_t now = std::time(nullptr);
  std::tm date{};
  gmtime_r(&now, &date);
  return fmt::format("{:%Y-%m-%d}", date);
}

const Result<gpu::DeviceInfo>& Bench::device() {
  if (parts_->device) return *parts_->device;
  auto none = [&](std::string code, std::string message) -> const Result<gpu::DeviceInfo>& {
    parts_->device.emplace(fail(std::move(code), std::move(message), Forbids::Environment));
    return *parts_->device;
  };
  if (options_.device == "none") return none("NoDevice", "no device, as asked for by --device none");
  if (options_.workerCommand.empty()) return none("NoWorker", "there is no worker to measure in");
  int ordinal = 0;
  if (options_.device != "auto") {
    auto end = options_.device.data() + options_.device.size();
    auto read = std::from_chars(options_.device.data(), end, ordinal);
    if (read.ec != std::errc() || read.ptr != end) {
      return none("NoDevice", fmt::format("\"{}\" is no device: auto, none or a number", options_.device));
    }
  }
  gpu::WorkerOptions worker;
  worker.command = options_.workerCommand;
  worker.deadlineSeconds = options_.deadlineSeconds;
  parts_->worker = std::make_unique<gpu::Worker>(worker);
  auto devices = parts_->worker->devices();
  if (!devices) return none(devices.error().code, devices.error().message);
  for (const gpu::DeviceInfo& d : *devices) {
    if (d.ordinal == ordinal) {
      parts_->device.emplace(d);
      return *parts_->device;
    }
  }
  return none("NoDevice", fmt::format("there is no device {}: {} found", ordinal, devices->size()));
}

const Result<compile::Toolkit>& Bench::toolkit() {
  if (!parts_->toolkit) parts_->toolkit = compile::findToolkit(compile::defaultSearchPath());
  return *parts_->toolkit;
}

const Result<std::shared_ptr<const compile::Compiler>>& Bench::compiler() {
  if (!parts_->compiler) {
    if (const auto& found = toolkit()) {
      parts_->compiler = compile::Compiler::load(*found);
    } else {
      parts_->compiler.emplace(Failure(found.error()));
    }
  }
  return *parts_->compiler;
}

std::string Bench::architecture() {
  if (options_.device != "none" && !options_.workerCommand.empty()) {
    if (const auto& d = device()) return d->architecture();
  }
  for (const gpu::Recording& r : recordings()) return r.device.architecture();
  return "sm_90a";
}

Result<compile::Binary> Bench::compile(const std::string& source, const std::string& architecture) {
  const auto& found = compiler();
  if (!found) return Failure(found.error());
  compile::Request request;
  request.source = source;
  request.architecture = architecture;
  if (options_.cubinCache.empty()) return (*found)->compile(request);
  return compile::compileCached(**found, compile::Cache(options_.cubinCache), request);
}

const std::vector<gpu::Recording>& Bench::recordings() {
  if (parts_->recordings) return *parts_->recordings;
  parts_->recordings.emplace();
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(options_.assets / "recorded", error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    auto text = readFile(file);
    if (!text) continue;
    if (auto recording = gpu::readRecording(*text, file.string())) parts_->recordings->push_back(std::move(*recording));
  }
  return *parts_->recordings;
}

Timed Bench::known(const KernelText& kernel) {
  Timed t;
  if (kernel.problem) {
    t.problem = kernel.problem;
    return t;
  }
  std::string here = parts_->device && *parts_->device ? (*parts_->device)->name : "";
  if (auto local = parts_->results->find(kernel.key, here)) {
    t.device = local->key.device;
    t.result = std::move(local);
    return t;
  }
  for (const gpu::Recording& r : recordings()) {
    for (const auto& e : r.entries) {
      if (e.source != kernel.key) continue;
      t.device = r.device.name;
      t.result = gpu::StoredResult{{e.source, r.compiler, r.device.name, r.device.driver, r.method},
                                   e.outcome,
                                   r.date,
                                   gpu::ResultOrigin::Recorded};
      return t;
    }
  }
  t.problem = fail("NotMeasured", "not measured yet", Forbids::Environment).value();
  return t;
}

std::optional<VendorLine> Bench::knownVendor(const gpu::Matmul& matmul) {
  std::string key = gpu::workloadKey(matmul);
  std::string here = parts_->device && *parts_->device ? (*parts_->device)->name : "";
  if (auto found = parts_->vendor.find(key); found != parts_->vendor.end())
    return VendorLine{found->second, here, today()};
  if (auto stored = parts_->results->find("vendor " + key, here)) {
    gpu::VendorOutcome v;
    v.available = true;
    v.version = stored->outcome.message;
    v.timing = stored->outcome.timing;
    v.error = stored->outcome.error;
    return VendorLine{v, stored->key.device, stored->date};
  }
  for (const gpu::Recording& r : recordings()) {
    if (r.workload == key && r.vendor.available)
      return VendorLine{r.vendor, r.device.name, r.date, gpu::ResultOrigin::Recorded};
  }
  return std::nullopt;
}

void Bench::cancel() {
  if (parts_->worker) parts_->worker->cancel();
}

Result<std::vector<Timed>> Bench::measure(const std::vector<Request>& requests,
                                          const std::optional<gpu::Matmul>& matmul, const gpu::Progress& progress) {
  const auto& here = device();
  if (!here) return Failure(here.error());
  std::string architecture = here->architecture();
  std::vector<Timed> timed(requests.size());
  gpu::Job job;
  job.matmul = matmul;
  job.method = options_.method;
  std::vector<std::size_t> slot;  // candidate → request
  std::string compilerName;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const KernelText& kernel = *requests[i].kernel;
    timed[i] = known(kernel);
    if (kernel.problem) continue;
    bool measuredHere = timed[i].result && timed[i].result->origin == gpu::ResultOrigin::Measured;
    if (measuredHere && !options_.again) continue;
    if (progress) progress("compile " + requests[i].label);
    auto binary = compile(kernel.source.text, architecture);
    if (!binary) {
      timed[i].result.reset();
      timed[i].problem = binary.error();
      continue;
    }
    compilerName = binary->compiler;
    job.candidates.push_back(
        {requests[i].label, std::move(binary->cubin), kernel.source.launches, kernel.source.buffers});
    slot.push_back(i);
  }
  if (job.candidates.empty()) return timed;
  if (matmul) {
    if (auto binary = compile(gpu::referenceSource(*matmul), architecture)) {
      gpu::Candidate reference;
      reference.label = "reference";
      reference.cubin = std::move(binary->cubin);
      job.reference = std::move(reference);
    }
  }
  auto report = parts_->worker->measure(here->ordinal, job, progress);
  if (!report) return Failure(report.error());
  std::string date = today();
  for (std::size_t c = 0; c < slot.size(); ++c) {
    const gpu::Outcome& outcome = report->outcomes[c];
    gpu::StoredResult stored{{requests[slot[c]].kernel->key, compilerName, here->name, here->driver, job.method.name()},
                             outcome,
                             date,
                             gpu::ResultOrigin::Measured};
    // A lost worker says nothing about the kernel: it is asked again next time.
    if (outcome.status != gpu::Outcome::Status::Lost) (void)parts_->results->put(stored);
    timed[slot[c]].device = here->name;
    timed[slot[c]].problem.reset();
    timed[slot[c]].result = std::move(stored);
  }
  if (matmul && report->vendor.available) {
    std::string key = gpu::workloadKey(*matmul);
    parts_->vendor[key] = report->vendor;
    gpu::Outcome line;
    line.status = gpu::Outcome::Status::Measured;
    line.label = "cuBLASLt";
    line.message = report->vendor.version;
    line.timing = report->vendor.timing;
    line.error = report->vendor.error;
    (void)parts_->results->put(
        {{"vendor " + key, "cuBLASLt " + report->vendor.version, here->name, here->driver, job.method.name()},
         line,
         date,
         gpu::ResultOrigin::Measured});
  }
  return timed;
}

}  // namespace loom::document
