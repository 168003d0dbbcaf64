#include "core/document/stalls.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/document/file.h"
#include "core/document/program.h"
#include "core/document/read_once.h"

namespace loom::document {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> jsonIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".json") files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

StateStalls only(const profile::ProfileFile& file, const profile::StateProfile& state, bool shipped) {
  auto one = std::make_shared<profile::ProfileFile>();
  one->target = file.target, one->date = file.date, one->program = file.program;
  one->device = file.device, one->driver = file.driver, one->compiler = file.compiler;
  one->tool = file.tool, one->how = file.how, one->shipped = shipped;
  one->states = {state};
  return one;
}

}  // namespace

StallStore::StallStore(fs::path assets, fs::path folder) : assets_(std::move(assets)), folder_(std::move(folder)) {}

StateStalls StallStore::taken(const std::shared_ptr<const Result<profile::ProfileFile>>& made) {
  if (*made) return StateStalls(made, &**made);
  const Message remark = message("{}; passed over", made->error().message);
  if (std::find(remarks_.begin(), remarks_.end(), remark) == remarks_.end()) remarks_.push_back(remark);
  return nullptr;
}

StateStalls StallStore::find(const std::string& source, const std::string& device) {
  StateStalls best;
  auto offer = [&](const profile::ProfileFile& file, bool shipped = false) {
    const profile::StateProfile* state = file.find(source);
    if (state == nullptr || (!device.empty() && !file.device.empty() && file.device != device)) return;
    if (!best || best->date <= file.date) best = only(file, *state, shipped);
  };
  for (const StateStalls& kept : kept_) offer(*kept);
  if (!folder_.empty()) {
    for (const fs::path& file : jsonIn(folder_)) {
      if (!file.filename().string().starts_with(source)) continue;
      auto text = readFile(file);
      auto made =
          text ? profile::readProfiles(*text, file.string()) : Result<profile::ProfileFile>(Failure(text.error()));
      if (auto own = taken(std::make_shared<const Result<profile::ProfileFile>>(std::move(made)))) offer(*own);
    }
  }
  if (best) return best;
  if (!shipped_) {
    shipped_.emplace();
    for (const fs::path& file : jsonIn(assets_ / "profiled")) {
      if (auto made = taken(readOnce(file, profile::readProfiles))) shipped_->push_back(std::move(made));
    }
  }
  for (const StateStalls& file : *shipped_) offer(*file, true);
  return best;
}

Result<void> StallStore::put(StateStalls stalls) {
  const profile::ProfileFile& file = *stalls;
  const std::string source = file.states.at(0).source;
  std::erase_if(kept_, [&](const StateStalls& k) { return k->states[0].source == source && k->device == file.device; });
  if (folder_.empty()) {
    kept_.push_back(std::move(stalls));
    return {};
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  auto written = writeFile(folder_ / profile::profileFileName(source, file.device), profile::writeProfiles(file));
  if (!written) kept_.push_back(std::move(stalls));
  return written;
}

Result<profile::Ncu> stallSampler(const Result<gpu::DeviceInfo>& device, const std::string& workerCommand) {
  if (!device) return Failure(device.error());
  if (device->cpu) return fail("NoDevice", message("the CPU device has no warps to sample"), Forbids::Environment);
  if (workerCommand.empty()) {
    return fail("NoProfiler",
                message("stalls are sampled only by a worker on this machine, not by one that --worker starts"),
                Forbids::Environment);
  }
  return profile::findNcu(compile::defaultSearchPath());
}

std::string samplerName(const profile::Ncu& ncu) { return "ncu " + ncu.version; }

Result<SampledState> sampleStalls(Bench& bench, const StallRequest& request, const gpu::Progress& progress,
                                  std::stop_token stop) {
  const auto& here = bench.device();
  auto ncu = stallSampler(here, request.workerCommand);
  if (!ncu) return Failure(ncu.error());
  const KernelText& kernel = *request.kernel;
  if (kernel.problem) return Failure(*kernel.problem);
  auto binary = bench.compile(kernel.source, here->architecture());
  if (!binary) return Failure(binary.error());

  profile::SampleRequest sample;
  sample.ncu = *ncu;
  sample.workerCommand = request.workerCommand;
  sample.device = here->ordinal;
  sample.seconds = request.seconds;
  sample.interval = request.interval;
  if (request.matmul) {
    sample.job.matmul = gpu::multipliedAs(*request.matmul, kernel.source);
    auto reference = bench.compile(gpu::referenceSource(*sample.job.matmul), here->architecture());
    if (!reference) return Failure(reference.error());
    sample.job.reference = gpu::Candidate{"reference", reference->cubin, {}, {}, {}, {}};
  }
  sample.job.candidates.push_back(
      {request.label, binary->cubin, kernel.source.launches, kernel.source.buffers, {}, {}});
  auto sampled = profile::sampleStalls(sample, progress, stop);
  if (!sampled) return Failure(sampled.error());

  SampledState made;
  made.csv = std::move(sampled->csv);
  made.file.date = Bench::today();
  made.file.program = kProgram;
  made.file.device = here->name;
  made.file.driver = here->driver;
  made.file.compiler = binary->compiler;
  made.file.tool = verbatim(samplerName(*ncu));
  made.file.how = sampled->how;
  made.file.states.push_back({kernel.key, request.label, std::move(sampled->kernels)});
  return made;
}

}  // namespace loom::document
