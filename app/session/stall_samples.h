#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "app/session/models.h"
#include "core/document/stall_view.h"

namespace loom::session {

/// The warp stall samples of the states' kernels, which say what warps wait for: taken here or stored by a profiler
/// (core/profile), and matched to the instructions of the state's machine code. A state is the program after some steps
/// of its schedule, given by its index in the history. All public functions are for the UI thread.
class StallSamples {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  StallSamples(const Options& options, Jobs& jobs, Tools& tools, const ModelDevice& device, Programs& programs,
               const Results& results, Models& models, const Documents& documents)
      : options_(options),
        jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        results_(results),
        models_(models),
        documents_(documents) {}

  /// Returns the samples of a state. The result has no `view` if there are none, or if they are of other machine code
  /// (`problem` says so, "OtherDevice" if the model's device was chosen and isn't theirs). After a sampling that
  /// failed, `problem` says why, beside earlier samples if there are any. The result stays as it is while a sampling
  /// runs, and after one that was cancelled. The first call starts a background job that looks the samples up, and if
  /// there are some, one that makes the machine code; returns null until these are done, and always if the state is no
  /// kernel, or if it has samples and no machine code.
  std::shared_ptr<const document::StallResult> of(int node);
  /// Returns the name of the profiler that can be run here, "ncu 2025.3.1.0", or why there is none. Null until that is
  /// known; a call since the device is known starts finding it out in the background.
  const Result<std::string>* sampler();
  /// Starts sampling a state in the background, also if it has samples; it waits for earlier samplings and measurements
  /// to end. The samples are taken on the device of this computer, whichever was chosen for the model. Nothing happens
  /// if there is none (DeviceStatus::here), or if `of` wasn't called for the state before.
  void sample(int node);
  /// Ends the sampling that `sample` started last, whether it waits or runs; earlier ones can't be ended.
  void cancel() { sampling_.request_stop(); }
  /// Drops all samples, because the history is another one. Doesn't end a sampling.
  void reset();
  /// Matches the samples anew, because the model's device has changed, and with it the machine code.
  void followDevice();

 private:
  struct Sampled {
    std::shared_ptr<const Program> from;                ///< the program whose samples were looked up
    document::StateStalls file;                         ///< the samples that were found or taken; null: none
    std::shared_ptr<const sass::Kernel> machine;        ///< the machine code that the samples are matched to
    std::shared_ptr<const document::StallResult> made;  ///< the matched samples; null until they are known
  };

  void want(int node);
  void take(int node, const std::shared_ptr<const Program>& from, document::StateStalls file,
            const std::optional<Error>& problem);
  /// Returns the store of the user's samples and of those that come with Tileloom. Only the thread of Queue::kModels
  /// may call this.
  document::StallStore& store();

  const Options& options_;
  Jobs& jobs_;
  Tools& tools_;
  const ModelDevice& device_;
  Programs& programs_;
  const Results& results_;
  Models& models_;
  const Documents& documents_;
  std::map<int, Sampled> sampled_;
  bool samplerAsked_ = false;
  std::optional<Result<std::string>> sampler_;
  std::stop_source sampling_;  ///< ends the sampling that is under way
};

}  // namespace loom::session
