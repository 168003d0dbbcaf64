// The devices that the cost model has figures for: those that are described in files, and the GPU of this machine (or
// of the machine that the worker, the process that measures, runs on). Measured figures of a device replace those that
// its vendor states.
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
  std::filesystem::path assets;         // folder with `devices` (descriptions) and `probed` (measured figures)
  std::filesystem::path kept;           // the user's folder, with a folder `probed` of its own; empty: there is none
  std::optional<gpu::DeviceInfo> here;  // what the driver tells of the GPU that is measured on; nothing: there is none
  std::vector<model::ProbeResults> seen;  // measured figures that could not be saved in `kept`
};

// All devices that are known.
struct KnownDevices {
  std::vector<model::Device> all;  // in the order of their ids; the GPU that is measured on comes last if no file
                                   // describes it
  std::vector<Message> remarks;    // a sentence if the user's measured figures can't be read
};

// Returns all devices. A GPU that no file describes is left out if its compute capability isn't known or its
// driver doesn't tell its limits. Error "DeviceFileError" if a file of the assets, a description or measured figures,
// is wrong.
Result<KnownDevices> knownDevices(const DeviceSources& sources);
// Returns the device with the id or name `wanted`. Errors: "DeviceFileError" as for `knownDevices`; "NoSuchDevice" if
// no device has that id or name, or if it is a GPU that `knownDevices` leaves out.
Result<model::Device> knownDevice(const DeviceSources& sources, const std::string& wanted);

// Returns all measured figures, those of the assets first, then of `kept`, then of `seen`; a device may be among them
// several times, and `knownDevices` lets later figures replace earlier ones of the device. If a file of a folder
// `probed`, of the assets too, can't be read, all files of that folder are passed over, and a sentence that says why is
// added to `remarks`, which may be null. A folder that isn't there counts as empty.
std::vector<model::ProbeResults> knownProbes(const DeviceSources& sources, std::vector<Message>* remarks = nullptr);
// Writes measured figures to the file of their device in the folder "probed" of `kept` (DeviceSources::kept), which is
// made if needed, in place of those that the file has, and returns the file. Errors: "CantWrite"; "NoFolder" if `kept`
// is empty.
Result<std::filesystem::path> keepProbed(const std::filesystem::path& kept, const model::ProbeResults& probed);

}  // namespace loom::document
