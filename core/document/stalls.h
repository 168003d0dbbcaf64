// Samples of warp stalls of the kernels of a state (the program after some schedule steps): taken on this machine,
// stored, and found again among the stored ones and those that come with the program.
#pragma once
#include <memory>

#include "core/document/bench.h"
#include "core/profile/profile_file.h"
#include "core/profile/profiler.h"

namespace loom::document {

// The profile of one state: a file whose `states` has one entry. Null: there is none.
using StateStalls = std::shared_ptr<const profile::ProfileFile>;

// The store of profiles. Not thread-safe.
class StallStore {
 public:
  // `assets` is the program's folder of assets, whose folder `profiled` has the profiles that come with the program.
  // `folder` is where the user's profiles are stored; if it is empty, they are kept in memory only.
  StallStore(std::filesystem::path assets, std::filesystem::path folder);

  // Returns the profile of the state whose kernels have the key `source` (KernelText::key, a hash of the program) on
  // the device with the name `device`, or on any device if that is empty. A profile that names no device goes with
  // every device. The user's own profiles are preferred to those that come with the program, later ones to earlier
  // ones. Null if there is none.
  StateStalls find(const std::string& source, const std::string& device);
  // Stores a profile, not null, which replaces an earlier one of the same state and device. Error "CantWrite": the
  // profile is kept in memory only.
  Result<void> put(StateStalls stalls);
  // Returns a sentence for each file that couldn't be read and was passed over.
  const std::vector<Message>& remarks() const { return remarks_; }

 private:
  // Returns the content of a file that was read, with all its states. Returns null and adds a remark if reading failed.
  StateStalls taken(const std::shared_ptr<const Result<profile::ProfileFile>>& made);

  std::filesystem::path assets_, folder_;
  std::optional<std::vector<StateStalls>> shipped_;
  std::vector<StateStalls> kept_;
  std::vector<Message> remarks_;
};

// Returns the profiler (ncu) that samples stalls on a device. `workerCommand` starts a worker on this machine. Errors:
// the error of `device`; "NoDevice" for the CPU device; "NoProfiler" if there is no ncu, or if `workerCommand` is
// empty.
Result<profile::Ncu> stallSampler(const Result<gpu::DeviceInfo>& device, const std::string& workerCommand);

// Returns the name that profiles give the sampler: "ncu 2025.3.1.0".
std::string samplerName(const profile::Ncu& ncu);

// A request to sample the stalls of a state's kernels.
struct StallRequest {
  std::string label;                   // StateProfile::label of the result
  const KernelText* kernel = nullptr;  // never null
  // The matrix product that the kernel's result is checked against; nothing for another function.
  std::optional<gpu::Matmul> matmul;
  std::string workerCommand;  // a command that starts a worker on this machine; empty if the worker is elsewhere
  double seconds = 300;       // time limit without progress, in seconds (profile::SampleRequest)
  int interval = -1;          // n for a sample every 2^(5 + n) clocks; -1: the profiler chooses
};
// The samples of a state.
struct SampledState {
  profile::ProfileFile file;  // with an empty `target`
  std::string csv;            // ncu's output, which the samples were read from
};
// Compiles the state's kernels and samples their stalls on the device of `bench`, the service that compiles kernels.
// `progress`, unless empty, is called with a sentence at each stage. `stop` ends this early, with the error
// "Cancelled". Errors: those of `stallSampler`; why the state is no kernel; of compiling ("NoNvrtc", "NoCudaHeaders",
// "CompileError"); and of the profiling run ("NoCounters": the driver lets only administrators read counters;
// "ProfilerFailed", "NotSampled", "WrongResult", "DeviceError", "ParseError", "CantWrite": there is no temporary
// folder, "WorkerLost", "Timeout", "ProtocolError").
Result<SampledState> sampleStalls(Bench& bench, const StallRequest& request, const gpu::Progress& progress = {},
                                  std::stop_token stop = {});

}  // namespace loom::document
