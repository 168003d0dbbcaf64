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

/// The predicted times of the many steps (calls of schedule primitives) that a list offers at the current state, the
/// program after some steps. Each time is predicted in the background, one after another, from the program as written,
/// without a compiler. It is kept by state and step lines until another device is predicted for. All functions must be
/// called on the UI thread.
class OptionTimes {
 public:
  OptionTimes() = default;
  ~OptionTimes() { stop(); }

  /// Returns the predicted time, in µs, of the program that `lines` (step lines with "\n" between them) would make of
  /// the current state of `session`, in which a program must be open; "" stands for the state itself. Once the search
  /// for devices has ended (DeviceStatus::known), a call whose time isn't known starts its prediction.
  /// Returns nothing until it is done, and always if a primitive refuses a line, the program is no kernel, or the
  /// device has no description or one with too few figures.
  std::optional<double> of(const Session& session, const std::string& lines);
  /// Returns why the program that `lines` would make of the state last given to `of` is no kernel; nothing if it is a
  /// kernel, if a line is refused, or while that isn't known.
  std::optional<Error> noKernel(const std::string& lines) const;
  /// Drops predictions that are not done, because the list is no longer on the screen. Those that are done stay; a
  /// later `of` starts the others again.
  void stop();

 private:
  using State = std::shared_ptr<const script::Script>;  ///< the text of a state, which stands for the state
  struct Known {
    std::mutex mutex;
    struct Option {
      std::optional<double> time;  ///< µs
      std::optional<Error> noKernel;
    };
    std::map<State, std::map<std::string, Option>> options;
    std::atomic<std::uint64_t> round = 0;
  };

  std::shared_ptr<Known> known_ = std::make_shared<Known>();
  State state_;                  ///< the state of the last call of `of`
  std::string device_;           ///< name and version of the device that the predictions are for
  std::set<std::string> asked_;  ///< lines whose prediction at `state_` has been started
  std::unique_ptr<JobQueue> queue_;
};

}  // namespace loom::session
