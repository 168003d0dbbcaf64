#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "app/session/state_model.h"
#include "core/document/devices.h"

namespace loom::session {

/// Returns the cost model of a kernel on a device; never null. `device` holds the figures of the device (peak rates,
/// cache sizes, latencies). `text`, not null, is the kernel's program and CUDA text. If `device` is an error,
/// `deviceProblem` of the result says why the figures are missing. `known` says what the model may be made from besides
/// the program, such as machine code. Its pointer `device` is set to the figures of `device`; callers leave it null.
/// The model copies these figures and what `known` points to, so that both need only live during the call.
std::shared_ptr<const StateModel> modelOn(const Result<model::Device>& device,
                                          std::shared_ptr<const document::KernelText> text, Known known = {});

/// A cache for the figures of one device, that of the last call of `of`. Any thread may call its functions.
class DeviceCache {
 public:
  /// `sources` says where the figures are read from.
  explicit DeviceCache(document::DeviceSources sources) : sources_(std::move(sources)) {}
  /// Returns the figures of the device with this name or id, or an error if its description isn't found or can't be
  /// read; never null. Reads files unless the last call since `renew` had the same name.
  std::shared_ptr<const Result<model::Device>> of(const std::string& name);
  /// Returns where the figures are read from.
  document::DeviceSources sources() const;
  /// Sets where the figures are read from, and drops those that were read.
  void renew(document::DeviceSources sources);
  /// Returns a number that grows with each `renew`, after which results made from earlier figures are out of date.
  int version() const { return version_; }

 private:
  mutable std::mutex mutex_;
  document::DeviceSources sources_;
  std::atomic<int> version_ = 0;
  std::string name_;
  std::shared_ptr<const Result<model::Device>> found_;
};

}  // namespace loom::session
