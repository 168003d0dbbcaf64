// Sampling what warps wait for: the worker, run under NVIDIA's Nsight Compute (ncu) on this machine.
#pragma once
#include <filesystem>
#include <stop_token>

#include "core/compile/toolkit.h"
#include "core/gpu/measure.h"
#include "core/profile/stall_profile.h"

namespace loom::profile {

// NVIDIA Nsight Compute on this machine.
struct Ncu {
  std::filesystem::path program;
  std::string version;  // "2025.3.1.0"
};
// Looks in the toolkits' bin folders, on $PATH, and where NVIDIA's package puts it (/opt/nvidia/nsight-compute). Error
// "NoProfiler".
Result<Ncu> findNcu(const compile::SearchPath& path);

// A request to sample a kernel's stalls.
struct SampleRequest {
  Ncu ncu;
  std::string workerCommand;  // starts a worker on this machine; run by /bin/sh
  int device = 0;
  gpu::Job job;  // of one candidate; its method is replaced by one of a few launches
  // A sample every 2^(5 + n) clocks of each sub-partition, n 0 to 31; −1: ncu chooses, which is seldom for short
  // kernels.
  int interval = -1;
  double seconds = 300;  // without an answer or progress, for ncu replays each launch; and again to write the report
};
// The samples of one run of ncu.
struct Sampled {
  std::vector<StallProfile> kernels;  // one launch of each of the candidate's, in launch order
  std::string csv;                    // that they were read from
  Message how;                        // in words
};
// Profiles the second execution of the candidate: the first is the one that is checked against the reference. No time
// comes of it: under a profiler there is none. Errors: "NoCounters" (the driver lets only administrators read
// counters: ERR_NVGPUCTRPERM), "ProfilerFailed" (ncu says why), "NotSampled" (ncu saw no such kernel), "WrongResult",
// "DeviceError" (the candidate can't run), "ParseError" (of what ncu printed), and those of process::Child.
Result<Sampled> sampleStalls(const SampleRequest& request, const gpu::Progress& progress = {},
                             std::stop_token stop = {});

}  // namespace loom::profile
