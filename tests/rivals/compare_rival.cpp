// Our kernel against a rival's CUDA text of the same schedule and launch: paired, interleaved, on the same data.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "core/document/bench.h"
#include "core/document/target.h"
#include "core/gpu/protocol.h"
#include "core/intrin/intrinsic.h"

using namespace loom;

namespace {

int failed(const Error& e) {
  fmt::print(stderr, "error[{}]: {}\n", e.code, e.message.english());
  return 1;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.empty() ? 0 : v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 7) {
    fmt::print(stderr, "usage: compare_rival FUNC.py SCHEDULE.py RIVAL.cu KERNEL ASSETS WORKER_COMMAND\n");
    return 64;
  }
  auto intrinsics = intrin::Library::load(std::string(argv[5]) + "/intrinsics");
  if (!intrinsics) return failed(intrinsics.error());
  auto target = document::openTarget({argv[1], argv[2]}, argv[5], schedule::Environment{&*intrinsics});
  if (!target) return failed(target.error());
  auto rival = document::readFile(argv[3]);
  if (!rival) return failed(rival.error());
  auto kernel = document::makeKernel(target->history.node(target->history.current()).state);
  if (kernel.problem) return failed(*kernel.problem);
  auto matmul = gpu::recognizeMatmul(target->history.node(0).state.module().functions.front());
  if (!matmul) return failed(fail("NotAMatmul", verbatim("no matrix product")).value());

  document::BenchOptions options;
  options.assets = argv[5];
  options.workerCommand = options.compilerCommand = argv[6];
  document::Bench bench(options);
  if (!bench.device()) return failed(bench.device().error());
  std::string architecture = bench.device()->architecture();
  gpu::Job job;
  job.matmul = matmul;
  job.method.rounds = 61;
  auto add = [&](const std::string& label, const std::string& text,
                 std::vector<codegen::KernelLaunch> launches) -> Result<void> {
    auto binary = bench.compile(text, architecture);
    if (!binary) return Failure(binary.error());
    job.candidates.push_back({label, binary->cubin, std::move(launches), kernel.source.buffers, {}});
    return {};
  };
  if (auto s = add("ours", kernel.source.text, kernel.source.launches); !s) return failed(s.error());
  auto launches = kernel.source.launches;
  launches.front().name = argv[4];
  if (auto s = add("rival", *rival, launches); !s) return failed(s.error());
  auto reference = bench.compile(gpu::referenceSource(*matmul), architecture);
  if (!reference) return failed(reference.error());
  job.reference = gpu::Candidate{"reference", reference->cubin, {}, {}, {}, {}};

  gpu::WorkerOptions workerOptions;
  workerOptions.command = argv[6];
  gpu::Worker worker(workerOptions);
  auto report = worker.measure(bench.device()->ordinal, job);
  if (!report) return failed(report.error());
  const gpu::Outcome &a = report->outcomes[0], &b = report->outcomes[1];
  for (const gpu::Outcome* o : {&a, &b}) {
    if (o->status != gpu::Outcome::Status::Measured) {
      fmt::print("{}: {} {}\n", o->label, gpu::statusName(o->status), o->message.english());
      return 1;
    }
  }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.timing.all.size(), b.timing.all.size()); ++i) {
    ratios.push_back(b.timing.all[i] / a.timing.all[i]);
  }
  fmt::print(
      "{}: ours {:.2f} µs (regs {}), rival {:.2f} µs (regs {}), paired median rival/ours {:.4f} over {} rounds; cold "
      "{:.2f} / {:.2f}; "
      "vendor {:.2f} µs; errors {:.2g} / {:.2g}\n",
      argv[2], a.timing.median, a.registers, b.timing.median, b.registers, median(ratios), ratios.size(), a.timing.cold,
      b.timing.cold, report->vendor.timing.median, a.error, b.error);
  return 0;
}
