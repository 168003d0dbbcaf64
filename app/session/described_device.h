#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "app/session/state_model.h"
#include "core/document/devices.h"

namespace loom::session {

/// The model of a state on a device, which says so where that isn't described.
std::shared_ptr<const StateModel> modelOn(const Result<model::Device>& device,
                                          std::shared_ptr<const document::KernelText> text, Known known = {});

/// The figures of a device, read by the first that asks and again only for another name. Any thread may ask.
class DeviceCache {
 public:
  explicit DeviceCache(document::DeviceSources sources) : sources_(std::move(sources)) {}
  /// Errors: those of document::knownDevice.
  std::shared_ptr<const Result<model::Device>> of(const std::string& name);
  document::DeviceSources sources() const;
  /// Reads anew from these, whatever was known.
  void renew(document::DeviceSources sources);
  /// Grows with each `renew`: what was worked out before is out of date.
  int version() const { return version_; }

 private:
  mutable std::mutex mutex_;
  document::DeviceSources sources_;
  std::atomic<int> version_ = 0;
  std::string name_;
  std::shared_ptr<const Result<model::Device>> found_;
};

}  // namespace loom::session
