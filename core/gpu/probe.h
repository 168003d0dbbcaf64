// Small kernels that ask a device what no document says: how fast its pipes go, and which lane of a wmma fragment holds
// which element.
#pragma once
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/model/device.h"
#include "core/model/fragment_code.h"

namespace loom::gpu {

// A kernel `extern "C" void name(void* buffer)`, in CUDA C++, and how it is launched. `grid` is in blocks and `block`
// in threads, along x, y, z.
struct ProbeKernel {
  std::string name, source;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::int64_t bufferBytes = 0;  // size of the buffer, which is zeroed before the first launch
  std::int64_t answerBytes = 0;  // how many bytes from the buffer's beginning are read back after the last launch
  int launches = 1;              // number of timed launches; one untimed launch goes before them
};

// What a probe kernel gave.
struct ProbeAnswer {
  std::vector<double> milliseconds;  // the time of each timed launch, taken on the device
  std::string bytes;                 // the ProbeKernel::answerBytes bytes that were read back
};

// Runs a probe kernel, which was compiled to `cubin`, on the device that `driver` has opened. Errors: "OutOfMemory",
// "LaunchError" and "DeviceError", with the driver's own name for what happened.
Result<ProbeAnswer> runProbe(Driver& driver, const ProbeKernel& kernel, const std::vector<char>& cubin);

// Convert a probe kernel to and from the JSON that is sent to the worker process. The JSON lacks the source, because
// the worker gets the compiled kernel. `probeFromJson` throws what nlohmann::json throws if a member is missing.
nlohmann::json toJson(const ProbeKernel& kernel);
ProbeKernel probeFromJson(const nlohmann::json& j);

// A probe that measures a ceiling, such as a peak of arithmetic or a bandwidth.
struct CeilingProbe {
  model::Quantity figure = model::Quantity::Fp32TflopsMeasured;  // the figure of a device that it measures
  std::string how;                                               // what the kernel does, in words
  double work = 0;  // what one launch does: FLOP for arithmetic, bytes for bandwidths
  double unit = 1;  // how much work per second is 1 in the figure's unit: 1e12 for TFLOP/s, 1e9 for GB/s
  ProbeKernel kernel;
};
// Returns the probes for what a device of this compute capability has; none for L2 if its size isn't known.
std::vector<CeilingProbe> ceilingProbes(const DeviceInfo& device);

// A probe that finds out which lane of a wmma fragment holds which element. It loads a fragment of a 16×16×16 tile from
// shared memory in which the value of every element is its number, row · 16 + column. The answer is an array of floats:
// element e of lane l is at l · elements + e.
struct FragmentProbe {
  model::FragmentKind kind;
  std::string fragment;  // "a", "b", "accumulator_f16", "accumulator_f32"
  int elements = 0;      // number of elements of the fragment that one lane holds
  ProbeKernel kernel;
};
// Returns one probe for each fragment of the 16×16×16 tile.
std::vector<FragmentProbe> fragmentProbes();

}  // namespace loom::gpu
