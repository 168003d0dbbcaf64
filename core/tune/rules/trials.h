#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "core/tune/rules/built.h"
#include "core/tune/rules/kernel_times.h"

namespace loom::tune {

/// Tries schedules of one program on one device. What several of them have in common is done once: the steps with which
/// they all begin, and the predicted times of kernels. All functions may be called from several threads at a time.
class Trials {
 public:
  /// Begins with the unscheduled program `begin`. The device and what `environment`, which is copied, points to must
  /// outlive this object. `times` is what is known already about kernels; null: nothing is.
  Trials(schedule::State begin, const model::Device& device, const schedule::Environment& environment,
         std::shared_ptr<KernelTimes> times)
      : begin_(std::move(begin)),
        device_(device),
        environment_(environment),
        times_(times ? std::move(times) : std::make_shared<KernelTimes>()) {}

  const schedule::State& begin() const { return begin_; }
  const model::Device& device() const { return device_; }
  const schedule::Environment& environment() const { return environment_; }

  /// Returns the state that step lines ("l = sch.get_loops(b)"), one a line, lead to; without lines that is `begin`.
  /// Fails where they can't be read or a step is refused.
  Result<schedule::State> stateBy(const std::string& lines);
  /// Returns the kernel that step lines make. Fails where they can't be read, a step is refused, or they make no
  /// kernel.
  Result<MadeByLines> made(const std::string& lines);

  /// Predicts the time, in µs, of all kernels of a program together. Fails with the model's error if it predicts none
  /// for one of them (KernelTimes::of).
  Result<KernelTimes::Time> predicted(const document::KernelText& kernel);

 private:
  const schedule::State begin_;
  const model::Device& device_;
  const schedule::Environment environment_;
  std::mutex mutex_;
  std::map<std::string, Result<schedule::State>> begun_;  // by the lines
  std::shared_ptr<KernelTimes> times_;
};

}  // namespace loom::tune
