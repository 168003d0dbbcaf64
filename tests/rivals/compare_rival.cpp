// Our kernels against a rival's CUDA text of the same schedules, each pair interleaved in one run on the same data.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "core/document/bench.h"
#include "core/document/measured_kernel.h"
#include "core/document/naive_kernel.h"
#include "core/document/target.h"
#include "core/gpu/protocol.h"
#include "core/intrin/intrinsic.h"

using namespace loom;
namespace fs = std::filesystem;

namespace {

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

// The launches that the text's first lines state, `// launch KERNEL blockIdx.x=8 threadIdx.x=32 shared=49152 : A B C`
// (tvm_oracle cuda writes them), with arguments as indices of `buffers`. An error where a line can't be read or names
// a buffer that isn't there.
Result<std::vector<codegen::KernelLaunch>> statedLaunches(const std::string& text,
                                                          const std::vector<codegen::GlobalBuffer>& buffers) {
  auto unreadable = [](const std::string& line) { return fail("BadLaunch", verbatim(line)); };
  std::vector<codegen::KernelLaunch> launches;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("// launch ");) {
    std::istringstream words(line.substr(10));
    codegen::KernelLaunch launch;
    words >> launch.name;
    std::string word;
    while (words >> word && word != ":") {
      auto equals = word.find('=');
      if (equals == std::string::npos || equals == 0) return unreadable(line);
      const std::int64_t value = std::atoll(word.c_str() + equals + 1);
      const int axis = word[equals - 1] - 'x';
      if (word.starts_with("shared=")) {
        launch.dynamicSharedBytes = value;
      } else if (value < 1 || axis < 0 || axis > 2) {
        return unreadable(line);
      } else {
        (word.starts_with("blockIdx") ? launch.grid : launch.block)[axis] = value;
      }
    }
    while (words >> word) {
      auto it = std::find_if(buffers.begin(), buffers.end(), [&](const auto& b) { return b.name == word; });
      if (it == buffers.end()) return unreadable(line);
      launch.arguments.push_back(static_cast<int>(it - buffers.begin()));
    }
    launches.push_back(launch);
  }
  if (launches.empty()) return fail("BadLaunch", verbatim("the rival's text states no launch"));
  return launches;
}

// The pair of one name, measured; how many times as long the rival takes, or nothing where either isn't right.
Result<std::optional<double>> compare(const fs::path& folder, const std::string& name, const std::string& assets,
                                      const schedule::Environment& environment, document::Bench& bench,
                                      gpu::Worker& worker) {
  auto file = [&](const char* ending) { return (folder / (name + ending)).string(); };
  auto target = document::openTarget({file(".func.py"), file(".sched.py")}, assets, environment);
  if (!target) return Failure(target.error());
  auto rival = document::readFile(file(".cu"));
  if (!rival) return Failure(rival.error());
  const auto& start = target->history.node(0).state;
  auto kernel = document::makeKernel(target->history.node(target->history.current()).state);
  if (kernel.problem) return Failure(*kernel.problem);
  auto launches = statedLaunches(*rival, kernel.source.buffers);
  if (!launches) return Failure(launches.error());

  const std::string architecture = bench.device()->architecture();
  gpu::Job job;
  job.matmul = gpu::recognizeMatmul(start.module().functions.front());
  job.method.rounds = 61;
  auto add = [&](const std::string& label, const std::string& text,
                 std::vector<codegen::KernelLaunch> itsLaunches) -> Result<void> {
    auto binary = bench.compile(text, architecture);
    if (!binary) return Failure(binary.error());
    job.candidates.push_back({label, binary->cubin, std::move(itsLaunches), kernel.source.buffers, {}, {}});
    return {};
  };
  if (auto s = add("ours", kernel.source.text, kernel.source.launches); !s) return Failure(s.error());
  if (auto cubin = document::readFile(file(".cubin"))) {
    job.candidates.push_back({"rival", {cubin->begin(), cubin->end()}, *launches, kernel.source.buffers, {}, {}});
  } else if (auto s = add("rival", *rival, *launches); !s) {
    return Failure(s.error());
  }
  if (job.matmul) {
    auto reference = bench.compile(gpu::referenceSource(*job.matmul), architecture);
    if (!reference) return Failure(reference.error());
    job.reference = gpu::Candidate{"reference", reference->cubin, {}, {}, {}, {}};
  } else if (auto naive = document::naiveKernel(start, {}); naive && !naive->problem) {
    auto binary = bench.compile(naive->source.text, architecture);
    if (!binary) return Failure(binary.error());
    job.naive = document::compiledCandidate("naive", *naive, binary->cubin);
  }

  auto report = worker.measure(bench.device()->ordinal, job);
  if (!report) return Failure(report.error());
  const gpu::Outcome &a = report->outcomes[0], &b = report->outcomes[1];
  for (const gpu::Outcome* o : {&a, &b}) {
    if (o->status == gpu::Outcome::Status::Measured) continue;
    fmt::print("{}: {} {} {}\n", name, o->label, gpu::statusName(o->status), o->message.english());
    return std::nullopt;
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.timing.all.size(), b.timing.all.size()); ++i)
    ratios.push_back(b.timing.all[i] / a.timing.all[i]);
  fmt::print("{}: {:.3f} x, ours {:.2f} µs (regs {}), rival {:.2f} (regs {}), cold {:.2f} / {:.2f}, vendor {:.2f}\n",
             name, median(ratios), a.timing.median, a.registers, b.timing.median, b.registers, a.timing.cold,
             b.timing.cold, report->vendor.timing.median);
  return median(ratios);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr,
               "usage: compare_rival FOLDER ASSETS WORKER_COMMAND\n"
               "FOLDER has NAME.func.py, NAME.sched.py, NAME.cu (tests/rivals/README.md)\n");
    return 64;
  }
  auto reportError = [](const std::string& of, const Error& e) {
    fmt::print("{}: error[{}] {}\n", of, e.code, e.message.english());
  };
  const std::string assets = argv[2];
  auto intrinsics = intrin::Library::load(assets + "/intrinsics");
  if (!intrinsics) return reportError(assets, intrinsics.error()), 1;
  document::BenchOptions options;
  options.assets = assets;
  options.workerCommand = options.compilerCommand = argv[3];
  document::Bench bench(options);
  if (!bench.device()) return reportError("device", bench.device().error()), 1;
  gpu::WorkerOptions workerOptions;
  workerOptions.command = argv[3];
  gpu::Worker worker(workerOptions);

  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(argv[1]))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  double logarithms = 0;
  int compared = 0, slower = 0;
  for (const std::string& name : names) {
    auto ratio = compare(argv[1], name, assets, schedule::Environment{&*intrinsics}, bench, worker);
    if (!ratio) reportError(name, ratio.error());
    if (ratio && *ratio) {
      logarithms += std::log(**ratio);
      slower += **ratio < 0.97;
      ++compared;
    }
    std::fflush(stdout);
  }
  fmt::print("{} of {} compared, geometric mean {:.3f}, {} below 0.97\n", compared, names.size(),
             compared ? std::exp(logarithms / compared) : 0, slower);
  return compared == static_cast<int>(names.size()) && slower == 0 ? 0 : 1;
}
