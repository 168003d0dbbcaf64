// The CPU as a device of the worker (the process that measures kernels, worker.h). It takes the same requests and gives
// the same answers as a GPU, but runs programs with the executor (core/exec), an interpreter on the CPU, so that
// measuring, deadlines, restarts and cancellation work without a GPU. Its times say nothing of a GPU: they are never
// stored, recorded, or compared with the vendor's library.
#pragma once
#include "core/gpu/measure.h"

namespace loom::gpu {

inline constexpr const char* kCpuDeviceName = "CPU executor";  // DeviceInfo::name of the CPU device

// Returns the description of the CPU device, in which only `name` and `cpu` are set.
DeviceInfo cpuDevice();

// Runs the script of each candidate of the job once, on inputs that are small integers, and returns the outcomes. A
// candidate is Failed if it can't be lowered to kernels or executed. It is Wrong if the executor finds a race, an
// access outside of a buffer or a read of an element that was never written, or if an element that is compared differs:
// from the matrix product, of which at most 4096 elements are compared, or, if the job is no product, from the result
// of `job.naive`. Outcome::error is that of the worst compared element, 0 if all are exact; -1 if nothing was compared,
// as when `job.naive` is missing or can't be run. `progress` may be empty.
Report measureOnCpu(const Job& job, const Progress& progress);

}  // namespace loom::gpu
