// Sampling of warp stalls: a worker process, which runs the kernel, is started under NVIDIA's Nsight Compute (ncu) on
// this machine.
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
// Finds ncu in the toolkits' bin folders, on $PATH, or where NVIDIA's package puts it (/opt/nvidia/nsight-compute).
// Error "NoProfiler" if it is in none of them.
Result<Ncu> findNcu(const compile::SearchPath& path);

// A request to sample a kernel's stalls.
struct SampleRequest {
  Ncu ncu;
  std::string workerCommand;  // a command line for /bin/sh that starts a worker on this machine
  int device = 0;             // CUDA's index of the device
  gpu::Job job;               // has one candidate, the kernels to sample; its timing method isn't used
  // n, 0 to 31, for a sample every 2^(5 + n) clocks in each sub-partition of a multiprocessor; −1: ncu chooses, which
  // gives few samples for short kernels.
  int interval = -1;
  // The longest wait, in seconds, for the next progress or the answer while ncu replays launches, and then the longest
  // time in which ncu may write its report. The whole run has no limit.
  double seconds = 300;
};
// The samples of one run of ncu.
struct Sampled {
  std::vector<StallProfile> kernels;  // one launch of each of the candidate's kernels, in launch order
  std::string csv;                    // ncu's output, which `kernels` were read from
  Message how;                        // words on which launch was sampled and how
};
// Profiles the second execution of the job's candidate; the result of the first one is checked against the job's
// reference. `progress`, unless empty, is called in this thread with a sentence at each stage. No times are measured: a
// profiler falsifies them. Errors: "NoCounters" (the driver lets only administrators read counters: ERR_NVGPUCTRPERM),
// "ProfilerFailed" (ncu says why), "NotSampled" (ncu saw no such kernel), "WrongResult", "DeviceError" (the candidate
// can't run), "ParseError" (ncu's output can't be read), "CantWrite" (there is no temporary folder), "Cancelled" (by
// `stop`), and those of the worker process: "WorkerLost" (it ended), "Timeout" and "ProtocolError" (it gave a wrong
// answer).
Result<Sampled> sampleStalls(const SampleRequest& request, const gpu::Progress& progress = {},
                             std::stop_token stop = {});

}  // namespace loom::profile
