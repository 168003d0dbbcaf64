// What a state's warps wait for: sampled here, kept, and found again, here or among what the program ships.
#pragma once
#include <memory>

#include "core/document/bench.h"
#include "core/profile/profile_file.h"
#include "core/profile/profiler.h"

namespace loom::document {

// The profiles of one state, with what they were taken with: `states` holds that one.
using StateStalls = std::shared_ptr<const profile::ProfileFile>;

// Not thread-safe.
class StallStore {
 public:
  // `assets` is the program's folder, for assets/profiled. `folder` is the user's; empty: what is put is kept in memory
  // only.
  StallStore(std::filesystem::path assets, std::filesystem::path folder);

  // Returns the profile stored by the program's key, of `device`, or of any device if `device` is empty. The user's own
  // profiles come before shipped ones, later before earlier ones. Null if there is none.
  StateStalls find(const std::string& source, const std::string& device);
  // Keeps it, in the place of an earlier one of the same state and device. "CantWrite": it's kept in memory then.
  Result<void> put(StateStalls stalls);
  // Files that were passed over, and why.
  const std::vector<Message>& remarks() const { return remarks_; }

 private:
  // What was read of a file, with all its states; null, and a remark: it is passed over.
  StateStalls taken(const std::shared_ptr<const Result<profile::ProfileFile>>& made);

  std::filesystem::path assets_, folder_;
  std::optional<std::vector<StateStalls>> shipped_;
  std::vector<StateStalls> kept_;
  std::vector<Message> remarks_;
};

// Returns what samples stalls on a device. Errors: those of finding the device, "NoDevice" for the CPU device,
// "NoProfiler" if there is no ncu, or no command for a worker on this machine.
Result<profile::Ncu> stallSampler(const Result<gpu::DeviceInfo>& device, const std::string& workerCommand);

// Returns the name that profiles give the sampler: "ncu 2025.3.1.0".
std::string samplerName(const profile::Ncu& ncu);

// A request to sample the stalls of a state's kernels.
struct StallRequest {
  std::string label;
  const KernelText* kernel = nullptr;
  std::optional<gpu::Matmul> matmul;  // that its result is checked against
  std::string workerCommand;          // on this machine; empty: the worker is elsewhere
  double seconds = 300;               // as profile::SampleRequest, and the next
  int interval = -1;
};
// The samples of a state.
struct SampledState {
  profile::ProfileFile file;  // without target
  std::string csv;            // as ncu printed it
};
// Samples the state on the bench's device. Errors: those of `stallSampler`, Bench::compile and profile::sampleStalls.
Result<SampledState> sampleStalls(Bench& bench, const StallRequest& request, const gpu::Progress& progress = {},
                                  std::stop_token stop = {});

}  // namespace loom::document
