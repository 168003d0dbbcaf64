// The worker's CPU device: the same requests and answers as a GPU's, run by the executor (core/exec), so that
// measuring, deadlines, restarts and cancellation work, and are tested, without a GPU. Its time is the executor's and
// says nothing of a GPU: it is never stored, recorded, or put beside the vendor's.
#pragma once
#include "core/gpu/measure.h"

namespace loom::gpu {

inline constexpr const char* kCpuDeviceName = "CPU executor";

DeviceInfo cpuDevice();

// Runs each candidate's script whole, once, on small integers. What the executor finds (races, bounds, reads of what
// was never written) and sums that differ from the matmul's own make it Wrong; `error` is 0 or that of the worst of at
// most 4096 compared elements.
Report measureOnCpu(const Job& job, const Progress& progress);

}  // namespace loom::gpu
