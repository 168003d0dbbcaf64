// The devices that the cost model has figures for: those that are described in files, and the GPU here. What was
// measured of a device replaces stated figures.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/driver.h"
#include "core/model/probed.h"

namespace loom::document {

// Where the figures of devices come from.
struct DeviceSources {
  std::filesystem::path assets;           // folder with `devices` (descriptions) and `probed` (measured figures)
  std::filesystem::path kept;             // the user's folder with a folder `probed` of its own; empty: none
  std::optional<gpu::DeviceInfo> here;    // the GPU here; if no file describes it, its driver does
  std::vector<model::ProbeResults> seen;  // measured figures that could not be saved
};

// All devices that are known, with what is wrong with their files.
struct KnownDevices {
  std::vector<model::Device> all;  // by id; the GPU here comes last if it has no file
  std::vector<Message> remarks;    // on files of measured figures that can't be read
};

// Returns all devices. Errors as those of model::loadDevices.
Result<KnownDevices> knownDevices(const DeviceSources& sources);
// Returns the device with that id or name. Errors also as those of model::findDevice, and for the GPU here of
// gpu::describe.
Result<model::Device> knownDevice(const DeviceSources& sources, const std::string& wanted);

// Returns the measured figures, those of the assets first. Adds to `remarks`, which may be null, as above.
std::vector<model::ProbeResults> knownProbes(const DeviceSources& sources, std::vector<Message>* remarks = nullptr);
// Writes measured figures to the file of their device in `kept`, where `knownDevices` finds them, and returns the file.
// Errors: "CantWrite"; "NoFolder" if `kept` is empty.
Result<std::filesystem::path> keepProbed(const std::filesystem::path& kept, const model::ProbeResults& probed);

}  // namespace loom::document
