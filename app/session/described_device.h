#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "app/session/state_model.h"
#include "core/document/devices.h"

namespace loom::session {

/// Returns the model of a state on a device. If `device` is an error, the model has no figures of a device, and its
/// `deviceProblem` says why.
std::shared_ptr<const StateModel> modelOn(const Result<model::Device>& device,
                                          std::shared_ptr<const document::KernelText> text, Known known = {});

/// The figures of the device that was asked for last, read from their files once. Thread-safe.
class DeviceCache {
 public:
  explicit DeviceCache(document::DeviceSources sources) : sources_(std::move(sources)) {}
  /// Returns the figures of the device with that name; never null. Reads files if it isn't the name of the last call.
  /// Errors: those of document::knownDevice.
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
