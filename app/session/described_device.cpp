#include "app/session/described_device.h"

namespace loom::session {

std::shared_ptr<const StateModel> modelOn(const Result<model::Device>& device,
                                          std::shared_ptr<const document::KernelText> text, Known known) {
  if (device) known.device = &*device;
  auto made = std::make_shared<StateModel>(stateModelOf(std::move(text), known));
  if (!device) made->deviceProblem = device.error().message;
  return made;
}

std::shared_ptr<const Result<model::Device>> DeviceCache::of(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (!found_ || name_ != name) {
    found_ = std::make_shared<const Result<model::Device>>(document::knownDevice(sources_, name));
    name_ = name;
  }
  return found_;
}

document::DeviceSources DeviceCache::sources() const {
  std::lock_guard lock(mutex_);
  return sources_;
}

void DeviceCache::renew(document::DeviceSources sources) {
  std::lock_guard lock(mutex_);
  sources_ = std::move(sources);
  found_ = nullptr;
  ++version_;
}

}  // namespace loom::session
