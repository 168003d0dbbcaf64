// The devices that the model can answer for: those that are described, those that were measured, and the one here.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/model/probed.h"

namespace loom::document {

struct DeviceSources {
  std::filesystem::path assets;           // assets/devices, and assets/probed of these devices
  std::filesystem::path kept;             // the user's folder, what was measured under kept/probed; empty: none
  std::optional<gpu::DeviceInfo> here;    // stands beside them as its driver describes it where no file does
  std::vector<model::ProbeResults> seen;  // what was measured and couldn't be kept
};

struct KnownDevices {
  std::vector<model::Device> all;  // in the order of their ids, the one here last where it has no file
  std::vector<Message> remarks;    // what was measured and can't be read
};

// Errors: those of model::loadDevices.
Result<KnownDevices> knownDevices(const DeviceSources& sources);
// By id or name. Errors also model::findDevice's, and gpu::describe's of the device here.
Result<model::Device> knownDevice(const DeviceSources& sources, const std::string& wanted);

// What probes showed: assets' first. `remarks` as above; may be null.
std::vector<model::ProbeResults> knownProbes(const DeviceSources& sources, std::vector<Message>* remarks = nullptr);
// Writes what was measured where `knownDevices` finds it: one file a device. Error "IoError"; "NoFolder" where `kept`
// is empty.
Result<std::filesystem::path> keepProbed(const std::filesystem::path& kept, const model::ProbeResults& probed);

}  // namespace loom::document
