#include "core/profile/profiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"
#include "core/process/child.h"
#include "core/profile/ncu_csv.h"

namespace loom::profile {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// A word of the shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first line of ncu's words that begins with the mark, without it; "" for none.
std::string lineOf(const std::string& log, const std::string& mark) {
  const std::size_t at = log.find(mark);
  if (at == std::string::npos) return "";
  std::size_t from = at + mark.size();
  while (from < log.size() && log[from] == ' ') ++from;
  return log.substr(from, log.find('\n', from) - from);
}

std::string namesOf(const gpu::Candidate& c, const char* between) {
  std::string all;
  for (const auto& l : c.launches) all += (all.empty() ? "" : between) + l.name;
  return all;
}

// A folder that goes with everything in it.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "tileloom-ncu-XXXXXX").string();
    if (mkdtemp(name.data())) folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code error;
    if (!folder_.empty()) fs::remove_all(folder_, error);
  }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

// What ncu itself says of what went wrong, if anything.
std::optional<Error> complaintOf(const std::string& log) {
  if (log.find("ERR_NVGPUCTRPERM") != std::string::npos) {
    auto refused =
        fail("NoCounters", message("the driver lets only administrators read the GPU's counters (ERR_NVGPUCTRPERM)"),
             Forbids::Environment);
    refused.value().remedy = message(
        "as root: options nvidia NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d, then restart; in a "
        "container: --cap-add=SYS_ADMIN (developer.nvidia.com/ERR_NVGPUCTRPERM)");
    return refused.value();
  }
  const std::string line = lineOf(log, "==ERROR==");
  if (line.empty()) return std::nullopt;
  return fail("ProfilerFailed", message("ncu can't profile: {}", line), Forbids::Environment).value();
}

// Few launches: the check, then two that decide how many fill a sample, then one of each further kind.
gpu::Method fewLaunches() {
  gpu::Method method;
  method.rounds = 1;
  method.sampleMilliseconds = 0;
  method.slowMilliseconds = 1e12;  // else a slow candidate would be launched but once
  method.coldBytes = 1;
  method.coldSamples = 0;
  method.vendorAlgorithms = 0;
  return method;
}

// "--warp-sampling-interval 3 ", as newer releases call it; "" leaves it to ncu.
std::string intervalOption(const SampleRequest& request) {
  if (request.interval < 0) return "";
  const auto help = process::outputOf({request.ncu.program.string(), "--help"}, 60);
  const bool newer = help && help->find("--warp-sampling-interval") != std::string::npos;
  return fmt::format("--{}sampling-interval {} ", newer ? "warp-" : "", request.interval);
}

// What ncu prints of a report's page; nothing if it can't.
std::optional<std::string> printedPage(const SampleRequest& request, const fs::path& report,
                                       std::initializer_list<const char*> page) {
  std::vector<std::string> command = {request.ncu.program.string(), "--import", report.string(), "--csv", "--page"};
  command.insert(command.end(), page.begin(), page.end());
  return process::outputOf(command, request.seconds);
}

// Samples stand without clocks, too.
std::vector<LaunchClocks> clocksOf(const SampleRequest& request, const fs::path& report) {
  const auto printed = printedPage(request, report, {"raw", "--print-units", "base"});
  return printed ? readNcuClocks(*printed) : std::vector<LaunchClocks>{};
}

Result<void> runUnder(const std::string& command, const SampleRequest& request, const gpu::Progress& progress,
                      const std::stop_token& stop) {
  process::Child worker({command, request.seconds, 0});
  gpu::Job job = request.job;
  job.method = fewLaunches();
  process::Frame frame;
  const json order = {{"do", "measure"}, {"device", request.device}, {"job", gpu::toJson(job, frame.blob)}};
  frame.text = order.dump(-1, ' ', false, json::error_handler_t::replace);
  auto answer = worker.ask(
      frame, request.seconds,
      [&](const Message& what) {
        if (progress) progress(what);
      },
      stop);
  if (!answer) return Failure(answer.error());
  gpu::Report report;
  try {
    report = gpu::reportFromJson(json::parse(answer->text));
  } catch (const json::exception&) {
  }
  if (report.outcomes.size() != 1) {
    worker.end(true);
    return fail("ProtocolError", message("the worker measured something else than it was asked"), Forbids::Environment);
  }
  const gpu::Outcome& outcome = report.outcomes.front();
  if (progress) progress(message("ncu writes its report"));
  // ncu writes when the worker has ended, and ends then. So the end is the answer.
  auto ended = worker.ask({R"({"do":"quit"})", ""}, request.seconds, {}, stop);
  if (!ended && ended.error().code != "WorkerLost") return Failure(ended.error());
  if (outcome.status == gpu::Outcome::Status::Wrong)
    return fail("WrongResult", message("its result is wrong: {}", outcome.message), Forbids::Program);
  if (outcome.status != gpu::Outcome::Status::Measured)
    return fail("DeviceError", outcome.message, Forbids::Environment);
  return {};
}

}  // namespace

Result<Ncu> findNcu(const compile::SearchPath& path) {
  std::vector<fs::path> places;
  for (const fs::path& t : path.toolkits) places.push_back(t / "bin");
  if (const char* value = std::getenv("PATH")) {
    const std::string all = value;
    for (std::size_t at = 0; at <= all.size();) {
      const std::size_t end = std::min(all.find(':', at), all.size());
      if (end > at) places.emplace_back(all.substr(at, end - at));
      at = end + 1;
    }
  }
  std::error_code error;
  std::vector<fs::path> versions;
  for (fs::directory_iterator it("/opt/nvidia/nsight-compute", error), end; !error && it != end; it.increment(error))
    versions.push_back(it->path());
  std::sort(versions.rbegin(), versions.rend());
  places.insert(places.end(), versions.begin(), versions.end());
  for (const fs::path& place : places) {
    const fs::path program = place / "ncu";
    if (access(program.c_str(), X_OK) != 0 || fs::is_directory(program, error)) continue;
    const auto said = process::outputOf({program.string(), "--version"}, 60);
    std::string version = said ? lineOf(*said, "Version ") : "";
    version = version.substr(0, version.find(' '));
    if (version.empty()) continue;
    return Ncu{program, version};
  }
  auto none = fail("NoProfiler", message("NVIDIA's Nsight Compute (ncu) isn't found"), Forbids::Environment);
  none.value().remedy = message("it comes with the CUDA toolkit (package nsight-compute); put its folder on PATH");
  return none;
}

Result<Sampled> sampleStalls(const SampleRequest& request, const gpu::Progress& progress, std::stop_token stop) {
  if (request.job.candidates.size() != 1 || request.job.candidates.front().launches.empty())
    return fail("DeviceError", message("the program launches nothing"), Forbids::Program);
  const gpu::Candidate& candidate = request.job.candidates.front();
  const Scratch scratch;
  if (scratch.folder().empty())
    return fail("CantWrite", message("no temporary folder for ncu's report"), Forbids::Environment);
  const fs::path report = scratch.folder() / "report.ncu-rep", log = scratch.folder() / "log";
  const fs::path printed = scratch.folder() / "printed";
  // Its words go to files, and the worker's frames have the output to themselves: during a long kernel ncu writes empty
  // lines whatever its log is, and what is wrong with its options it prints. Caches and clocks stay as they are when
  // times are taken.
  const std::string script = fmt::format(
      "exec 3>&1 >{}; exec {} -f -o {} --log-file {} --target-processes all --section SourceCounters "
      "--metrics {},{} --cache-control none --clock-control none {}-k {} -s {} -c {} /bin/sh -c {}",
      quoted(printed.string()), quoted(request.ncu.program.string()), quoted((scratch.folder() / "report").string()),
      quoted(log.string()), kOccupiedMetric, kWholeMetric, intervalOption(request),
      quoted("regex:^(" + namesOf(candidate, "|") + ")$"), candidate.launches.size(), candidate.launches.size(),
      quoted("exec " + request.workerCommand + " >&3 3>&-"));
  if (progress) progress(message("ncu starts"));
  auto ran = runUnder("/bin/sh -c " + quoted(script), request, progress, stop);
  if (!ran && ran.error().code == "Cancelled") return Failure(ran.error());
  const std::string said = contentOf(log) + contentOf(printed);
  if (auto complaint = complaintOf(said)) return Failure(*complaint);
  if (!ran) return Failure(ran.error());
  std::error_code error;
  if (!fs::exists(report, error)) {
    return fail("NotSampled", message("ncu saw none of the kernels {}", namesOf(candidate, ", ")),
                Forbids::Environment);
  }
  if (progress) progress(message("ncu reads its report"));
  auto csv = printedPage(request, report, {"source", "--print-source", "sass"});
  if (!csv) return fail("ProfilerFailed", message("ncu can't read its own report"), Forbids::Environment);
  auto profiles = readNcuCsv(*csv, "ncu");
  if (!profiles) return Failure(profiles.error());
  Sampled sampled;
  for (const auto& launch : candidate.launches) {
    auto of = std::find_if(profiles->begin(), profiles->end(),
                           [&](const StallProfile& p) { return p.kernel == launch.name; });
    if (of == profiles->end())
      return fail("NotSampled", message("ncu saw none of the kernels {}", launch.name), Forbids::Environment);
    sampled.kernels.push_back(*of);
  }
  for (const LaunchClocks& launch : clocksOf(request, report)) {
    const auto of = std::ranges::find(sampled.kernels, launch.kernel, &StallProfile::kernel);
    if (of != sampled.kernels.end()) of->clocks = launch.clocks;
  }
  sampled.csv = std::move(*csv);
  sampled.how = request.interval < 0
                    ? message("second execution; caches and clocks as they are")
                    : message("second execution; caches and clocks as they are; a sample every {} clocks",
                              1LL << (5 + request.interval));
  return sampled;
}

}  // namespace loom::profile
