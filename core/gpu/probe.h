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

struct ProbeAnswer {
  std::vector<double> milliseconds;  // of each timed launch, on the device
  std::string bytes;
};

// Errors: those of the driver.
Result<ProbeAnswer> runProbe(Driver& driver, const ProbeKernel& kernel, const std::vector<char>& cubin);

nlohmann::json toJson(const ProbeKernel& kernel);  // without its source
ProbeKernel probeFromJson(const nlohmann::json& j);

// A roof to be measured: what one launch of the kernel does, in FLOP or bytes, and the figure of a device that it
// gives.
struct CeilingProbe {
  model::Quantity figure = model::Quantity::Fp32TflopsMeasured;
  std::string how;  // in words
  double work = 0;
  double unit = 1;  // work per second of one of the figure's unit: 1e12 for TFLOP/s, 1e9 for GB/s
  ProbeKernel kernel;
};
std::vector<CeilingProbe> ceilingProbes(const DeviceInfo& device);

// Loads wmma fragments of 16×16×16 tiles from shared memory in which every element is its own number, row · 16 +
// column. The answer has a float for each of `elements` elements a lane: lane · elements + element.
struct FragmentProbe {
  model::FragmentKind kind;
  std::string fragment;  // "a", "b", "accumulator_f16", "accumulator_f32"
  int elements = 0;      // that the fragment has in a lane
  ProbeKernel kernel;
};
std::vector<FragmentProbe> fragmentProbes();

}  // namespace loom::gpu
