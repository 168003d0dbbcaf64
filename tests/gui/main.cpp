// The tests, or, as `test_gui worker`, what the window's model starts to measure: a worker with the CPU as its device.
// It compiles without a compiler, slowly enough to be seen at it. `test_gui worker gpu` claims to be a GPU's, on which
// everything takes 100 µs; `test_gui worker ada` to be one's that no file describes, on which probes take 1 ms.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "app/panels/panel.h"
#include "core/compile/binary_json.h"
#include "core/gpu/cpu_device.h"
#include "core/gpu/probe.h"
#include "core/gpu/protocol.h"
#include "core/process/serve.h"
#include "tests/gui/kept_window.h"

using namespace loom;
using nlohmann::json;

namespace {

// What the lesson's last state is in PTX, as far as tests look.
constexpr const char* kPtx = R"(.version 9.0
.target sm_90a
.visible .entry main_kernel(
	.param .u64 main_kernel_param_0
)
{
	.loc	1 21 3
	mov.u32 	%r1, %tid.x;
$L__BB0_1:
	.loc	1 25 7
	ld.global.nc.v4.u32 	{%r30, %r31, %r32, %r33}, [%rd30];
	st.shared.v4.u32 	[%rd3], {%r30, %r31, %r32, %r33};
	.loc	1 50 13
	.loc	2 626 5, function_name $L__info_string2, inlined_at 1 50 13
	wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f97, %f98}, {%r64, %r65}, {%r96, %r97}, {%f193, %f194};
	.loc	1 21 3
	@%p1 bra 	$L__BB0_1;
	ret;
}
	.file	1 "/a/kernel.cu"
	.file	2 "/usr/include/crt/mma.hpp"
)";

// Of a job on the pretended GPU.
gpu::Report pretended(const gpu::Job& job) {
  gpu::Report report;
  for (const gpu::Candidate& c : job.candidates) {
    gpu::Outcome outcome;
    outcome.label = c.label;
    outcome.status = gpu::Outcome::Status::Measured;
    outcome.timing.median = 100;
    outcome.timing.samples = 1;
    report.outcomes.push_back(outcome);
  }
  return report;
}

gpu::DeviceInfo pretendedDevice() {
  gpu::DeviceInfo device;
  device.name = "NVIDIA H200";
  device.major = 9;
  device.driver = "13.0";
  return device;
}

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
    if (json::parse(request.text).at("ptx").get<bool>()) return process::Frame{"{}", kPtx};
    compile::Binary binary;
    binary.kernels.push_back({"main_kernel", 84, 0, 0, 0, 32768, 0});
    return process::Frame{compile::toJson(binary).dump(), ""};
  }
  return std::nullopt;
}

std::optional<Result<process::Frame>> answerOfGpu(const std::string& verb, const process::Frame& request,
                                                  const process::Say& say) {
  if (verb == "devices") return process::Frame{json::array({gpu::toJson(pretendedDevice())}).dump(), ""};
  if (verb != "measure") return answer(verb, request, say);
  return process::Frame{
      gpu::toJson(pretended(gpu::jobFromJson(json::parse(request.text).at("job"), request.blob))).dump(), ""};
}

// Another that no file of the assets describes.
gpu::DeviceInfo undescribedDevice() {
  gpu::DeviceInfo d;
  d.name = "NVIDIA RTX 6000 Ada Generation";
  d.major = 8;
  d.minor = 9;
  d.driver = "13.0";
  d.multiprocessors = 142;
  d.memoryBytes = 50876841984;
  d.sharedPerBlock = 101376;
  d.sharedPerMultiprocessor = 102400;
  d.l2Bytes = 100663296;
  d.clockKhz = 2505000;
  d.memoryClockKhz = 10001000;
  d.threadsPerBlock = 1024;
  d.threadsPerMultiprocessor = 1536;
  d.blocksPerMultiprocessor = 24;
  d.registersPerBlock = d.registersPerMultiprocessor = 65536;
  d.sharedReserve = 1024;
  d.memoryBusBits = 384;
  return d;
}

std::optional<Result<process::Frame>> answerOfAda(const std::string& verb, const process::Frame& request,
                                                  const process::Say& say) {
  if (verb == "devices") return process::Frame{json::array({gpu::toJson(undescribedDevice())}).dump(), ""};
  if (verb != "probe") return answerOfGpu(verb, request, say);
  const gpu::ProbeKernel kernel = gpu::probeFromJson(json::parse(request.text).at("kernel"));
  return process::Frame{json{{"milliseconds", std::vector<double>(std::size_t(kernel.launches), 1.0)}}.dump(),
                        std::string(std::size_t(kernel.answerBytes), '\0')};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "worker") {
    process::endWithClient(STDOUT_FILENO);
    return process::serve(STDIN_FILENO, STDOUT_FILENO, answer);
  }
  if (argc == 3 && std::string(argv[1]) == "worker") {
    process::endWithClient(STDOUT_FILENO);
    return process::serve(STDIN_FILENO, STDOUT_FILENO, std::string(argv[2]) == "ada" ? answerOfAda : answerOfGpu);
  }
  panels::declarePointablePanels();
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  window::closeKeptWindow();
  return status;
}
