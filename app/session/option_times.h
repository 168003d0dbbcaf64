#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "app/session/described_device.h"
#include "app/session/job_queue.h"
#include "core/script/printer.h"

namespace loom::session {

class Session;

/// What the model predicts for each of many steps that one could choose at a state: the program as it would be written,
/// before any compiler. Worked out one after another in the background and kept per state and step.
class OptionTimes {
 public:
  OptionTimes() = default;
  ~OptionTimes() { stop(); }

  /// µs for the program that `lines` make of the current state; of none, for the state itself. Nothing until it is
  /// known, and for ever where that is refused or no kernel, or the device isn't described. The first call asks for it.
  std::optional<double> of(const Session& bench, const std::string& lines);
  /// Why what the lines make is no kernel, as far as `of` has found out.
  std::optional<Error> noKernel(const std::string& lines) const;
  /// Nobody looks any more: what hasn't been worked out is dropped, and asked for again when somebody does.
  void stop();

 private:
  using State = std::shared_ptr<const script::Script>;  ///< stands for the state that it is the text of
  struct Known {
    std::mutex mutex;
    struct Option {
      std::optional<double> time;
      std::optional<Error> noKernel;
    };
    std::map<State, std::map<std::string, Option>> options;
    std::atomic<std::uint64_t> round = 0;
  };

  std::shared_ptr<Known> known_ = std::make_shared<Known>();
  State state_;
  std::string device_;           ///< that they are for, as it was known then
  std::set<std::string> asked_;  ///< at `state_`
  std::unique_ptr<JobQueue> queue_;
};

}  // namespace loom::session
