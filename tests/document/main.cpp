// The tests, or, as `test_document worker MODE`, a worker: "cpu" on its CPU device; "gpu" and "other_gpu" pretend to be
// one and to compile for it. Each measurement and compilation of theirs leaves a byte in the file named by
// $TILELOOM_TALLY.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/gpu/protocol.h"
#include "core/gpu/worker.h"
#include "core/process/serve.h"

using namespace loom;
using nlohmann::json;

namespace {

void tally(char what) {
  if (const char* file = std::getenv("TILELOOM_TALLY")) std::ofstream(file, std::ios::app) << what;
}

gpu::DeviceInfo device(const std::string& mode) {
  gpu::DeviceInfo d;
  d.name = mode == "gpu" ? "NVIDIA H200" : "Other GPU";
  d.major = 9;
  d.driver = "13.0";
  return d;
}

Result<process::Frame> measured(const std::string& mode, const process::Frame& request) {
  const gpu::Job job = gpu::jobFromJson(json::parse(request.text).at("job"), request.blob);
  gpu::Report report;
  report.device = device(mode);
  for (const gpu::Candidate& c : job.candidates) {
    tally('m');
    gpu::Outcome o;
    o.label = c.label;
    o.status = gpu::Outcome::Status::Measured;
    o.timing.median = 123;
    o.timing.samples = 21;
    report.outcomes.push_back(o);
  }
  report.vendor.available = true;
  report.vendor.version = "13.1";
  report.vendor.timing.median = 100;
  report.vendor.timing.samples = 21;
  return process::Frame{gpu::toJson(report).dump(), ""};
}

std::optional<Result<process::Frame>> answer(const std::string& mode, const std::string& verb,
                                             const process::Frame& request) {
  if (verb == "devices") return process::Frame{json::array({gpu::toJson(device(mode))}).dump(), ""};
  if (verb == "measure") return measured(mode, request);
  if (verb == "compiler") return process::Frame{R"({"version":"0.0","architectures":["sm_90"]})", ""};
  if (verb != "compile") return std::nullopt;
  tally('c');
  if (mode == "slow") sleep(30);
  if (mode == "no_compiler") return fail("CompileError", verbatim("kernel.cu(3): error: no"), Forbids::Environment);
  return process::Frame{R"({"log":"","compiler":"NVRTC 0.0","ms":1,"kernels":[]})", "cubin"};
}

int worker(const std::string& mode) {
  process::endWithClient(STDOUT_FILENO);
  if (mode == "cpu") {
    gpu::ServeOptions options;
    options.cpu = true;
    return gpu::serve(STDIN_FILENO, STDOUT_FILENO, options);
  }
  return process::serve(STDIN_FILENO, STDOUT_FILENO,
                        [&](const std::string& verb, const process::Frame& request, const process::Say&) {
                          return answer(mode, verb, request);
                        });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "worker") return worker(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
