#pragma once

#include <map>
#include <mutex>
#include <string>

#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/model/device.h"

namespace loom::tune {

/// Predicts the times of kernels, and keeps each result by the device's id, so that another kernel that differs only in
/// names, its own or those of its buffers and blocks, isn't predicted again. The figures of a device mustn't change
/// meanwhile. May be used by several threads at a time.
class KernelTimes {
 public:
  /// A time of one kernel or of several together, in µs.
  struct Time {
    double microseconds = 0;  ///< predicted from the program as written
    /// The same, but for each kernel at least the latency of the global loads that a thread waits for one after
    /// another.
    double withLatency = 0;
  };
  /// Predicts the time of a kernel. Fails with the model's error, for instance `TooLarge` if no block fits on a
  /// multiprocessor.
  Result<Time> of(const device::Kernel& kernel, const model::Device& device);

 private:
  std::mutex mutex_;
  std::map<std::string, Time> known_;  // by the device's id and the printed kernel, without names
};

}  // namespace loom::tune
