#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "app/workbench/state_model.h"

namespace loom::workbench {

struct DeviceLine;

/// The device that the model speaks of: the chosen one, else the GPU here, else the one that the shipped results are
/// of, else an H200.
std::string modelledDevice(const DeviceLine& line);

/// The model of a state on a device, which says so where that isn't described.
std::shared_ptr<const StateModel> modelOn(const Result<model::Device>& device, const document::KernelText& text,
                                          Known known = {});

/// The figures of a device, read from the assets by the first that asks and again only for another name. Any thread may
/// ask.
class DescribedDevice {
 public:
  explicit DescribedDevice(std::filesystem::path assets) : assets_(std::move(assets)) {}
  /// Errors: those of model::loadDevices and model::findDevice.
  std::shared_ptr<const Result<model::Device>> of(const std::string& name);

 private:
  std::filesystem::path assets_;
  std::mutex mutex_;
  std::string name_;
  std::shared_ptr<const Result<model::Device>> found_;
};

}  // namespace loom::workbench
