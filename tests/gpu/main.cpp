// The tests, or, as `test_gpu worker MODE`, a worker: "cpu" is the real one on its CPU device; the others misbehave.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/gpu/cpu_device.h"
#include "core/gpu/protocol.h"
#include "core/gpu/worker.h"
#include "core/process/serve.h"

using namespace loom;
using nlohmann::json;

namespace {

// Claims to have measured everything, except where a label of the job's scripts says otherwise: "#die", "#hang" while
// it is checked; "#fault" spoils the process as a faulting kernel does. `mode` "die_in_rounds": ends once after all
// checks; "die_always_in_rounds"; "too_few": an outcome less than asked for; "says:{…}": a JSON patch of the report.
Result<process::Frame> measured(const std::string& mode, const process::Frame& request, const process::Say& say) {
  const gpu::Job job = gpu::jobFromJson(json::parse(request.text).at("job"), request.blob);
  gpu::Report report;
  report.device.name = "Pretended GPU";
  bool faulted = false;
  for (const gpu::Candidate& c : job.candidates) {
    say(message("check {}", c.label));
    auto has = [&](const char* what) { return c.script.find(what) != std::string::npos; };
    if (has("#die")) std::abort();
    if (has("#hang")) {
      for (;;) pause();
    }
    gpu::Outcome o;
    o.label = c.label;
    o.status = faulted ? gpu::Outcome::Status::Failed : gpu::Outcome::Status::Measured;
    if (faulted) o.message = message("{}: {}", "LaunchError", "the context is spoiled");
    if (has("#fault")) {
      faulted = true;
      o.status = gpu::Outcome::Status::Failed;
      o.message = message("{}: {}", "LaunchError", "CUDA_ERROR_ILLEGAL_ADDRESS");
    }
    if (!faulted) o.timing.median = double(c.script.size());
    if (!faulted) o.timing.samples = 5;
    report.outcomes.push_back(o);
  }
  if (faulted) {
    for (gpu::Outcome& o : report.outcomes) o.timing = {};
  }
  say(message("round {} of {}", 1, 21));
  if (mode == "die_always_in_rounds") std::abort();
  if (mode.starts_with("die_in_rounds:")) {
    const std::string mark = mode.substr(14);
    if (!std::ifstream(mark)) {
      std::ofstream(mark) << "died";
      std::abort();
    }
  }
  if (mode == "too_few") report.outcomes.pop_back();
  json said = gpu::toJson(report);
  if (mode.starts_with("says:")) said = said.patch(json::parse(mode.substr(5)));
  return process::Frame{said.dump(), ""};
}

int worker(const std::string& mode) {
  process::endWithClient(STDOUT_FILENO);
  if (mode == "cpu") {
    gpu::ServeOptions options;
    options.cpu = true;
    return gpu::serve(STDIN_FILENO, STDOUT_FILENO, options);
  }
  return process::serve(STDIN_FILENO, STDOUT_FILENO,
                        [&](const std::string& verb, const process::Frame& request,
                            const process::Say& say) -> std::optional<Result<process::Frame>> {
                          if (verb == "devices" && mode == "odd_devices") return process::Frame{R"([{"name":1}])", ""};
                          if (verb == "devices" && mode == "devices_before_0") {
                            gpu::DeviceInfo device;
                            device.ordinal = -1;
                            return process::Frame{json::array({gpu::toJson(device)}).dump(), ""};
                          }
                          if (verb == "devices") return fail("NoDriver", verbatim("no driver"), Forbids::Environment);
                          if (verb == "measure") return measured(mode, request, say);
                          return std::nullopt;
                        });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "worker") return worker(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
