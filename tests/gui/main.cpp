// The tests, or, as `test_gui worker`, what the window's model starts to measure: a worker with the CPU as its device.
// It compiles without a compiler, slowly enough to be seen at it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/compile/binary_json.h"
#include "core/gpu/cpu_device.h"
#include "core/gpu/protocol.h"
#include "core/process/serve.h"

using namespace loom;
using nlohmann::json;

namespace {

std::optional<Result<process::Frame>> answer(const std::string& verb, const process::Frame& request,
                                             const process::Say& say) {
  if (verb == "devices") return process::Frame{json::array({gpu::toJson(gpu::cpuDevice())}).dump(), ""};
  if (verb == "measure") {
    const gpu::Job job = gpu::jobFromJson(json::parse(request.text).at("job"), request.blob);
    return process::Frame{gpu::toJson(gpu::measureOnCpu(job, say)).dump(), ""};
  }
  if (verb == "compiler") return process::Frame{R"({"version":"0.0","architectures":["sm_90"]})", ""};
  if (verb == "compile") {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return process::Frame{compile::toJson(compile::Binary{}).dump(), ""};
  }
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "worker") {
    process::endWithClient(STDOUT_FILENO);
    return process::serve(STDIN_FILENO, STDOUT_FILENO, answer);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
