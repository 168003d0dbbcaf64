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

// A kernel `extern "C" void name(void* buffer)`, in CUDA C++.
struct ProbeKernel {
  std::string name, source;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{32, 1, 1};
  std::int64_t bufferBytes = 0;  // zeroed before the first launch
  std::int64_t answerBytes = 0;  // of the buffer's beginning, read back after the last
  int launches = 1;              // each timed; one more goes before them
};

// What a probe kernel gave.
struct ProbeAnswer {
  std::vector<double> milliseconds;  // of each timed launch, on the device
  std::string bytes;                 // the ProbeKernel::answerBytes bytes that were read back
};

// Runs a probe kernel, which was compiled to `cubin`. Errors: those of the driver.
Result<ProbeAnswer> runProbe(Driver& driver, const ProbeKernel& kernel, const std::vector<char>& cubin);

// Convert to and from the JSON of the worker's protocol, without the source. The latter throws what nlohmann::json
// throws if a member is missing.
nlohmann::json toJson(const ProbeKernel& kernel);
ProbeKernel probeFromJson(const nlohmann::json& j);

// A probe that measures a ceiling, such as a peak of arithmetic or a bandwidth.
struct CeilingProbe {
  model::Quantity figure = model::Quantity::Fp32TflopsMeasured;  // the figure of a device that it measures
  std::string how;                                               // what the kernel does, in words
  double work = 0;  // what one launch does: FLOP for arithmetic, bytes for bandwidths
  double unit = 1;  // work per second of one of the figure's unit: 1e12 for TFLOP/s, 1e9 for GB/s
  ProbeKernel kernel;
};
// Returns the probes for a device.
std::vector<CeilingProbe> ceilingProbes(const DeviceInfo& device);

// A probe that finds out which lane of a wmma fragment holds which element. It loads a fragment of a 16×16×16 tile from
// shared memory in which the value of every element is its number, row · 16 + column. The answer is an array of floats:
// element e of lane l is at l · elements + e.
struct FragmentProbe {
  model::FragmentKind kind;
  std::string fragment;  // "a", "b", "accumulator_f16", "accumulator_f32"
  int elements = 0;      // that the fragment has in a lane
  ProbeKernel kernel;
};
// Returns one probe for each fragment of that tile.
std::vector<FragmentProbe> fragmentProbes();

}  // namespace loom::gpu
