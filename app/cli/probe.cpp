#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "app/cli/session.h"
#include "app/cli/verb_list.h"
#include "core/compile/compiler_processes.h"
#include "core/document/file.h"
#include "core/gpu/worker.h"
#include "core/model/probed.h"

namespace loom::cli {
namespace {

// One device and what runs kernels on it.
struct Prober {
  gpu::Worker& worker;
  compile::CompilerProcesses& compiler;
  gpu::DeviceInfo device;

  Result<gpu::ProbeAnswer> run(const gpu::ProbeKernel& kernel) {
    auto binary = compiler.compile({kernel.source, device.architecture(), false, {}});
    if (!binary) return Failure(binary.error());
    return worker.probe(device.ordinal, kernel, binary->cubin);
  }
};

Result<void> probeCeilings(Prober& prober, model::Probed& probed) {
  for (const gpu::CeilingProbe& ceiling : gpu::ceilingProbes(prober.device)) {
    auto answer = prober.run(ceiling.kernel);
    if (!answer) return Failure(answer.error());
    std::vector<double>& times = answer->milliseconds;
    std::sort(times.begin(), times.end());
    auto rate = [&](double milliseconds) { return ceiling.work / (milliseconds * 1e-3) / ceiling.unit; };
    const double median = times[times.size() / 2];
    fmt::print("{:<26} {:8.1f}   {:8.1f} … {:8.1f} in {} launches; {}\n", model::nameOf(ceiling.figure), rate(median),
               rate(times.back()), rate(times.front()), times.size(), ceiling.how);
    probed.figures[ceiling.figure] = {std::round(rate(median) * 10) / 10,
                                      fmt::format("{}; median of {} launches", ceiling.how, times.size())};
  }
  return {};
}

Result<void> probeFragments(Prober& prober, model::Probed& probed) {
  for (const gpu::FragmentProbe& fragment : gpu::fragmentProbes()) {
    auto answer = prober.run(fragment.kernel);
    if (!answer) return Failure(answer.error());
    std::vector<float> seen(answer->bytes.size() / sizeof(float));
    std::memcpy(seen.data(), answer->bytes.data(), answer->bytes.size());
    probed.fragments[fragment.fragment].assign(seen.begin(), seen.end());
    auto layout = model::fragmentLayout(probed, fragment.kind);
    fmt::print("wmma {:<16} {}\n", fragment.fragment, layout ? layout->text() : layout.error().message);
  }
  return {};
}

ExitStatus probe(const std::string& output, const CommonOptions& common) {
  if (!output.empty()) {
    if (auto place = document::canWrite(output); !place) return report(place.error());
  }
  gpu::WorkerOptions options;
  options.command = workerCommand(common);
  gpu::Worker worker(options);
  auto devices = devicesThere(worker, common);
  if (!devices) return report(devices.error());
  if (devices->empty() || devices->front().cpu) {
    return report(fail("NoDevice", "a probe needs a GPU", Forbids::Environment).value());
  }
  const gpu::DeviceInfo& device = devices->front();
  compile::CompilerProcesses::Options compiling;
  compiling.command = ownWorkerCommand();
  compile::CompilerProcesses compiler(compiling);
  auto info = compiler.compiler();
  if (!info) return report(info.error());

  model::Probed probed;
  probed.device = device.name;
  probed.major = device.major;
  probed.minor = device.minor;
  probed.date = document::Bench::today();
  probed.driver = device.driver;
  probed.compiler = info->name();
  probed.program = "tileloom probe";
  Prober prober{worker, compiler, device};
  fmt::print("{}, {}\n", device.name, device.architecture());
  if (auto done = probeCeilings(prober, probed); !done) return report(done.error());
  if (auto done = probeFragments(prober, probed); !done) return report(done.error());
  if (output.empty()) return ExitStatus::kDone;
  if (auto written = document::writeFile(output, probed.text()); !written) return report(written.error());
  fmt::print("{}: written\n", output);
  return ExitStatus::kDone;
}

}  // namespace

Action declareProbe(CLI::App& command, const Context& context) {
  auto output = std::make_shared<std::string>();
  command.add_option("-o,--output", *output, "File of assets/probed to write")->check(aName());
  return [output, &context] { return probe(*output, context.common); };
}

}  // namespace loom::cli
