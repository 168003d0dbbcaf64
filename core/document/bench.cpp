#include "core/document/bench.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>

#include "core/document/lesson.h"
#include "core/document/measured_kernel.h"
#include "core/document/read_once.h"

namespace loom::document {
namespace fs = std::filesystem;

namespace {

// Whether something was asked for and answered. What was cancelled is asked for again.
template <class T>
bool isAnswered(const std::optional<Result<T>>& asked) {
  return asked && (*asked || asked->error().code != "Cancelled");
}

}  // namespace

struct Bench::Parts {
  std::unique_ptr<gpu::Worker> worker;
  std::unique_ptr<compile::CompilerProcesses> compilers;
  std::unique_ptr<gpu::ResultDatabase> results;
  std::optional<Result<gpu::DeviceInfo>> device;
  std::optional<Result<compile::Toolkit>> toolkit;
  std::optional<Result<compile::CompilerInfo>> compiler;
  std::optional<std::vector<gpu::Recording>> recordings;
  std::vector<Message> remarks;
  std::map<std::string, VendorLine> vendor;           // measured in this session, by workload
  std::map<std::string, gpu::StoredResult> executed;  // by the CPU executor, in this session, by source
  std::mutex mutex;
  std::stop_source stop;  // guarded by `mutex`

  void remark(Message text) {
    if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(std::move(text));
  }
};

Bench::Bench(BenchOptions options) : options_(std::move(options)), parts_(std::make_unique<Parts>()) {
  if (!options_.database.empty()) {
    if (auto opened = gpu::ResultDatabase::open(options_.database)) {
      parts_->results = std::move(*opened);
      if (!parts_->results->setAside().empty()) parts_->remark(parts_->results->setAside());
    } else {
      parts_->remark(message("{}; results of this session won't be kept", opened.error().message));
    }
  }
  if (!parts_->results) parts_->results = gpu::ResultDatabase::inMemory();
  compile::CompilerProcesses::Options compiling;
  compiling.command = options_.compilerCommand;
  compiling.cache = options_.cubinCache;
  parts_->compilers = std::make_unique<compile::CompilerProcesses>(compiling);
}
Bench::~Bench() = default;

std::stop_token Bench::begin() {
  std::lock_guard lock(parts_->mutex);
  parts_->stop = std::stop_source();
  return parts_->stop.get_token();
}

void Bench::cancel() {
  std::lock_guard lock(parts_->mutex);
  parts_->stop.request_stop();
}

const std::vector<Message>& Bench::remarks() {
  recordings();
  // The compilers' processes search as this one does.
  if (parts_->compiler || parts_->toolkit) {
    if (const auto& found = toolkit()) {
      for (const Message& remark : found->remarks) parts_->remark(remark);
    }
  }
  return parts_->remarks;
}

std::string Bench::today() {
  std::time_t now = std::time(nullptr);
  std::tm date{};
  gmtime_r(&now, &date);
  return fmt::format("{:%Y-%m-%d}", date);
}

const Result<gpu::DeviceInfo>& Bench::device() {
  if (!isAnswered(parts_->device)) parts_->device = findDevice();
  return *parts_->device;
}

Result<gpu::DeviceInfo> Bench::findDevice() {
  auto none = [&](std::string code, Message message) {
    return fail(std::move(code), std::move(message), Forbids::Environment);
  };
  if (options_.device == "none") return none("NoDevice", message("measuring is switched off"));
  if (options_.workerCommand.empty()) return none("NoWorker", message("there is no worker to measure in"));
  int ordinal = 0;
  if (options_.device != "auto") {
    auto end = options_.device.data() + options_.device.size();
    auto read = std::from_chars(options_.device.data(), end, ordinal);
    if (read.ec != std::errc() || read.ptr != end) {
      return none("NoDevice", message("\"{}\" is no device: auto, none or a number", options_.device));
    }
  }
  gpu::WorkerOptions worker;
  worker.command = options_.workerCommand;
  worker.deadlineSeconds = options_.deadlineSeconds;
  parts_->worker = std::make_unique<gpu::Worker>(worker);
  auto devices = parts_->worker->devices(begin());
  if (!devices) return Failure(devices.error());
  for (const gpu::DeviceInfo& d : *devices) {
    if (d.ordinal == ordinal) return d;
  }
  return none("NoDevice", message("there is no device {}: {} found", ordinal, devices->size()));
}

const Result<compile::Toolkit>& Bench::toolkit() {
  if (!parts_->toolkit) parts_->toolkit = compile::findToolkit(compile::defaultSearchPath());
  return *parts_->toolkit;
}

const Result<compile::CompilerInfo>& Bench::compiler() {
  if (!isAnswered(parts_->compiler)) parts_->compiler = parts_->compilers->compiler(begin());
  return *parts_->compiler;
}

std::string Bench::architecture() {
  if (!options_.architecture.empty()) return options_.architecture;
  if (options_.device != "none" && !options_.workerCommand.empty()) {
    if (const auto& d = device(); d && !d->cpu) return d->architecture();
  }
  for (const gpu::Recording& r : recordings()) return r.device.architecture();
  return "sm_90a";
}

Result<compile::Binary> Bench::compile(const compile::Text& text, const std::string& architecture) {
  return parts_->compilers->compile(compile::requestFor(text, architecture), begin());
}

std::vector<Result<compile::Binary>> Bench::compileAll(const std::vector<compile::Text>& texts,
                                                       const std::string& architecture,
                                                       const compile::CompilerProcesses::Done& done) {
  std::vector<compile::Request> requests;
  for (const compile::Text& text : texts) requests.push_back(compile::requestFor(text, architecture));
  return parts_->compilers->compileAll(requests, begin(), done);
}

Result<std::string> Bench::ptx(const compile::Text& text, const std::string& architecture) {
  return parts_->compilers->ptx(compile::requestFor(text, architecture), begin());
}

const std::vector<gpu::Recording>& Bench::recordings() {
  if (parts_->recordings) return *parts_->recordings;
  parts_->recordings.emplace();
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(options_.assets / "recorded", error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json") files.push_back(it->path());
  }
  // Names begin with the device's: what was recorded on the newer one is asked first, and answers for the others.
  std::sort(files.begin(), files.end(), std::greater<>());
  for (const fs::path& file : files) {
    const auto recording = readOnce(file, gpu::readRecording);
    if (*recording) {
      parts_->recordings->push_back(**recording);
    } else {
      const Error& e = recording->error();
      parts_->remark(e.place.file.empty() ? message("{}; passed over", e.message)
                                          : message("{}: {}; passed over", e.place.file, e.message));
    }
  }
  return *parts_->recordings;
}

DeviceSources Bench::deviceSources() {
  DeviceSources sources{options_.assets, options_.database.parent_path(), std::nullopt, {}};
  if (const auto& here = device()) sources.here = *here;
  return sources;
}

Result<model::ProbeResults> Bench::probe(const std::function<void(const gpu::Shown&)>& shown) {
  const auto& here = device();
  if (!here) return Failure(here.error());
  if (here->cpu) return fail("NoDevice", message("a probe needs a GPU"), Forbids::Environment);
  const auto& with = compiler();
  if (!with) return Failure(with.error());
  const gpu::Probing probing{parts_->worker.get(), parts_->compilers.get(), *here, "tileloom probe", today(),
                             with->name()};
  return gpu::probeDevice(probing, shown, begin());
}

KnownTime Bench::known(const KernelText& kernel) {
  KnownTime t;
  if (kernel.problem) {
    t.problem = kernel.problem;
    return t;
  }
  const gpu::DeviceInfo* here = parts_->device && *parts_->device ? &**parts_->device : nullptr;
  auto from = [&](gpu::StoredResult result) {
    t.device = result.key.device;
    t.result = std::move(result);
    return t;
  };
  if (auto found = parts_->executed.find(kernel.key); found != parts_->executed.end()) return from(found->second);
  if (auto local = parts_->results->find(kernel.key, here ? here->name : "")) return from(std::move(*local));
  for (const gpu::Recording& r : recordings()) {
    for (const auto& e : r.entries) {
      if (e.source != kernel.key) continue;
      // Times of two devices in one table would tell speed-ups that nobody has.
      if (here && here->name != r.device.name) {
        parts_->remark(message("results recorded on {} are passed over: this is {}", r.device.name, here->name));
        continue;
      }
      return from({{e.source, r.compiler, r.device.name, r.device.driver, r.method},
                   e.outcome,
                   r.date,
                   gpu::ResultOrigin::Recorded});
    }
  }
  t.problem = fail("NotMeasured", message("not measured yet"), Forbids::Environment).value();
  return t;
}

std::optional<VendorLine> Bench::knownVendor(const gpu::Matmul& matmul) {
  if (parts_->device && *parts_->device && (*parts_->device)->cpu) return std::nullopt;
  std::string key = gpu::workloadKey(matmul);
  std::string here = parts_->device && *parts_->device ? (*parts_->device)->name : "";
  if (auto found = parts_->vendor.find(key); found != parts_->vendor.end()) return found->second;
  if (auto stored = parts_->results->find("vendor " + key, here)) {
    gpu::VendorOutcome v;
    v.available = true;
    v.version = stored->outcome.message.english();
    v.timing = stored->outcome.timing;
    v.error = stored->outcome.error;
    return VendorLine{v, stored->key.device, stored->date};
  }
  for (const gpu::Recording& r : recordings()) {
    if (r.workload == key && r.vendor.available && (here.empty() || here == r.device.name))
      return VendorLine{r.vendor, r.device.name, r.date, gpu::ResultOrigin::Recorded};
  }
  return std::nullopt;
}

void Bench::store(const gpu::StoredResult& result) {
  if (result.origin == gpu::ResultOrigin::Executed) {
    parts_->executed[result.key.source] = result;
  } else if (auto stored = parts_->results->put(result); !stored) {
    parts_->remark(stored.error().message);
  }
}

void Bench::storeVendor(const gpu::Matmul& matmul, const gpu::VendorOutcome& vendor, const std::string& date) {
  const gpu::DeviceInfo& here = **parts_->device;
  std::string key = gpu::workloadKey(matmul);
  parts_->vendor[key] = {vendor, here.name, date};
  store({{"vendor " + key, "cuBLASLt " + vendor.version, here.name, here.driver, options_.method.name()},
         vendor.outcome(),
         date,
         gpu::ResultOrigin::Measured});
}

Result<std::vector<KnownTime>> Bench::measure(const std::vector<Request>& requests,
                                              const std::optional<gpu::Matmul>& matmul, const gpu::Progress& progress,
                                              const KernelText* naive) {
  const auto& here = device();
  if (!here) return Failure(here.error());
  const std::stop_token stop = begin();
  std::vector<KnownTime> timed(requests.size());
  std::map<int, std::vector<std::size_t>, std::greater<>> alike;  // by the digits that kernels keep of their factors
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const KernelText& kernel = *requests[i].kernel;
    timed[i] = known(kernel);
    bool knownHere = timed[i].result && timed[i].result->origin != gpu::ResultOrigin::Recorded;
    if (!kernel.problem && (!knownHere || options_.again)) alike[matmul ? kernel.source.factorDigits : 0].push_back(i);
  }
  for (auto& [digits, slot] : alike) {
    std::optional<gpu::Matmul> product = matmul;
    if (product) product->factorDigits = digits;
    if (auto measured = measureTogether(requests, std::move(slot), product, progress, naive, stop, timed); !measured)
      return Failure(measured.error());
  }
  return timed;
}

Result<void> Bench::measureTogether(const std::vector<Request>& requests, std::vector<std::size_t> slot,
                                    const std::optional<gpu::Matmul>& matmul, const gpu::Progress& progress,
                                    const KernelText* naive, std::stop_token stop, std::vector<KnownTime>& timed) {
  const auto& here = device();
  gpu::Job job;
  job.matmul = matmul;
  job.method = options_.method;
  std::string compilerName = "executor";
  const bool byNaive = naive && !matmul && !naive->problem;
  if (here->cpu) {
    for (std::size_t i : slot) job.candidates.push_back(executedCandidate(requests[i].label, *requests[i].kernel));
    if (byNaive) job.naive = executedCandidate("naive", *naive);
  } else {
    std::vector<compile::Request> sources;
    for (std::size_t i : slot) sources.push_back(compile::requestFor(requests[i].kernel->source, here->architecture()));
    if (matmul) sources.push_back(compile::requestFor(gpu::referenceSource(*matmul), here->architecture()));
    if (byNaive) sources.push_back(compile::requestFor(naive->source, here->architecture()));
    std::size_t ended = 0;
    auto binaries = parts_->compilers->compileAll(sources, stop, [&](std::size_t, const auto&) {
      if (progress) progress(message("compile {} of {}", ++ended, sources.size()));
    });
    if (stop.stop_requested()) return fail("Cancelled", message("cancelled"), Forbids::Environment);
    if (matmul) {
      if (const auto& binary = binaries.back())
        job.reference = gpu::Candidate{"reference", binary->cubin, {}, {}, {}, {}};
    }
    if (byNaive) {
      if (const auto& binary = binaries.back()) job.naive = compiledCandidate("naive", *naive, binary->cubin);
    }
    std::vector<std::size_t> compiled;
    for (std::size_t s = 0; s < slot.size(); ++s) {
      if (!binaries[s]) {
        timed[slot[s]] = {};
        timed[slot[s]].problem = binaries[s].error();
        continue;
      }
      compilerName = binaries[s]->compiler;
      const Request& request = requests[slot[s]];
      job.candidates.push_back(compiledCandidate(request.label, *request.kernel, std::move(binaries[s]->cubin)));
      compiled.push_back(slot[s]);
    }
    slot = std::move(compiled);
    if (slot.empty()) return {};
  }
  auto report = parts_->worker->measure(here->ordinal, job, progress, stop);
  if (!report) return Failure(report.error());
  const std::string date = today();
  for (std::size_t c = 0; c < slot.size(); ++c) {
    gpu::StoredResult stored{{requests[slot[c]].kernel->key, compilerName, here->name, here->driver, job.method.name()},
                             report->outcomes[c],
                             date,
                             here->cpu ? gpu::ResultOrigin::Executed : gpu::ResultOrigin::Measured};
    // A lost worker says nothing about the kernel: it is asked again next time.
    if (stored.outcome.status != gpu::Outcome::Status::Lost) store(stored);
    timed[slot[c]].device = here->name;
    timed[slot[c]].problem.reset();
    timed[slot[c]].result = std::move(stored);
  }
  if (matmul && report->vendor.available && !here->cpu) storeVendor(*matmul, report->vendor, date);
  return {};
}

}  // namespace loom::document
