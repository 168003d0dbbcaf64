// Our kernels against a rival's CUDA text of the same schedules, each pair interleaved in one run on the same data.
#include <fmt/format.h>
#include <unistd.h>

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
#include "core/process/serve.h"

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

// Kernels of one name whose texts are compiled: ours, the rival's (unless its machine code is given) and the one that
// tells the right result. `naive` is empty for a product, whose right result a kernel for products makes.
struct Pair {
  std::string name;
  document::KernelText ours;
  std::string rival;
  std::optional<std::string> rivalCubin;
  std::vector<codegen::KernelLaunch> launches;  // of the rival's text
  std::optional<gpu::Matmul> matmul;
  std::optional<document::KernelText> naive;
  std::string reference;  // a text to compile that makes right results: the product's, or the naive kernel's
};

// The pair of one name, read and lowered; an error where ours is no kernel or a file can't be read.
Result<Pair> readPair(const fs::path& folder, const std::string& name, const std::string& assets,
                      const schedule::Environment& environment) {
  auto file = [&](const char* ending) { return (folder / (name + ending)).string(); };
  auto target = document::openTarget({file(".func.py"), file(".sched.py")}, assets, environment);
  if (!target) return Failure(target.error());
  auto rival = document::readFile(file(".cu"));
  if (!rival) return Failure(rival.error());
  const auto& start = target->history.node(0).state;
  Pair pair;
  pair.name = name;
  pair.rival = *rival;
  pair.ours = document::makeKernel(target->history.node(target->history.current()).state);
  pair.matmul = gpu::recognizeMatmul(start.module().functions.front());
  if (pair.ours.problem) return Failure(*pair.ours.problem);
  auto launches = statedLaunches(*rival, pair.ours.source.buffers);
  if (!launches) return Failure(launches.error());
  pair.launches = std::move(*launches);
  if (auto cubin = document::readFile(file(".cubin"))) pair.rivalCubin = std::move(*cubin);
  if (pair.matmul) {
    pair.reference = gpu::referenceSource(*pair.matmul);
  } else if (auto naive = document::naiveKernel(start, {}); naive && !naive->problem) {
    pair.reference = naive->source.text;
    pair.naive = std::move(*naive);
  }
  return pair;
}

// The pair measured; how many times as long the rival takes, or nothing where either isn't right.
Result<std::optional<double>> compare(const Pair& pair, document::Bench& bench, gpu::Worker& worker) {
  const std::string architecture = bench.device()->architecture();
  gpu::Job job;
  job.matmul = pair.matmul;
  job.method.rounds = 101;
  job.method.vendorAlgorithms = 0;  // nothing but the two is timed
  const auto& buffers = pair.ours.source.buffers;
  auto add = [&](const std::string& label, const std::string& text,
                 const std::vector<codegen::KernelLaunch>& itsLaunches) -> Result<void> {
    auto binary = bench.compile(text, architecture);
    if (!binary) return Failure(binary.error());
    job.candidates.push_back({label, binary->cubin, itsLaunches, buffers, {}, {}});
    return {};
  };
  if (auto s = add("ours", pair.ours.source.text, pair.ours.source.launches); !s) return Failure(s.error());
  if (const auto& cubin = pair.rivalCubin) {
    job.candidates.push_back({"rival", {cubin->begin(), cubin->end()}, pair.launches, buffers, {}, {}});
  } else if (auto s = add("rival", pair.rival, pair.launches); !s) {
    return Failure(s.error());
  }
  if (!pair.reference.empty()) {
    auto reference = bench.compile(pair.reference, architecture);
    if (!reference) return Failure(reference.error());
    if (pair.naive)
      job.naive = document::compiledCandidate("naive", *pair.naive, reference->cubin);
    else
      job.reference = gpu::Candidate{"reference", reference->cubin, {}, {}, {}, {}};
  }

  auto report = worker.measure(bench.device()->ordinal, job);
  if (!report) return Failure(report.error());
  const gpu::Outcome &a = report->outcomes[0], &b = report->outcomes[1];
  for (const gpu::Outcome* o : {&a, &b}) {
    if (o->status == gpu::Outcome::Status::Measured) continue;
    fmt::print("{}: {} {} {}\n", pair.name, o->label, gpu::statusName(o->status), o->message.english());
    return std::nullopt;
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.timing.all.size(), b.timing.all.size()); ++i)
    ratios.push_back(b.timing.all[i] / a.timing.all[i]);
  auto told = [](const gpu::Outcome& o) {
    return fmt::format("{:.2f} µs ({} registers, {} bytes local, {} blocks; cold {:.2f})", o.timing.median, o.registers,
                       o.localBytes, o.blocksPerMultiprocessor, o.timing.cold);
  };
  fmt::print("{}: {:.3f} x, ours {}, rival {}\n", pair.name, median(ratios), told(a), told(b));
  return median(ratios);
}

// Compiles all texts of the pairs at once, which leaves them in the bench's cache; an error appears again at `compare`.
void compileAhead(const std::vector<Pair>& pairs, document::Bench& bench) {
  std::vector<compile::Text> texts;
  for (const Pair& pair : pairs) {
    texts.push_back(pair.ours.source.text);
    if (!pair.rivalCubin) texts.push_back(pair.rival);
    if (!pair.reference.empty()) texts.push_back(pair.reference);
  }
  bench.compileAll(texts, bench.device()->architecture());
}

// The worker's side: compiles and measures for the process that started it. What the libraries print must not get
// between the answers.
int serve() {
  const int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  process::endWithClient(answers);
  gpu::ServeOptions options;
  options.toolkit = compile::defaultSearchPath();
  return gpu::serve(STDIN_FILENO, answers, options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "worker") return serve();
  if (argc != 3 && argc != 4) {
    fmt::print(stderr,
               "usage: compare_rival FOLDER ASSETS [WORKER_COMMAND]\n"
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
  const std::string command = argc == 4 ? argv[3] : "'" + fs::read_symlink("/proc/self/exe").string() + "' worker";
  options.workerCommand = options.compilerCommand = command;
  options.cubinCache = fs::temp_directory_path() / "compare_rival_cubins";
  document::Bench bench(options);
  if (!bench.device()) return reportError("device", bench.device().error()), 1;
  gpu::WorkerOptions workerOptions;
  workerOptions.command = command;
  gpu::Worker worker(workerOptions);

  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(argv[1]))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  std::vector<Pair> pairs;
  for (const std::string& name : names) {
    auto pair = readPair(argv[1], name, assets, schedule::Environment{&*intrinsics});
    pair ? pairs.push_back(std::move(*pair)) : reportError(name, pair.error());
  }
  compileAhead(pairs, bench);
  double logarithms = 0;
  int compared = 0, slower = 0;
  for (const Pair& pair : pairs) {
    auto ratio = compare(pair, bench, worker);
    if (!ratio) reportError(pair.name, ratio.error());
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
