// Results of probes, as the files of assets/probed hold them. Probes (`tileloom probe`) are small kernels that measure
// the rates of one device and find out which lanes hold which elements of wmma fragments.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/model/device.h"
#include "core/model/fragment_code.h"

namespace loom::model {

// The number of rows, and of columns, of the fragments whose layout probes find out.
constexpr int kProbedTile = 16;

// The results of the probe kernels on one device.
struct ProbeResults {
  std::string device;                           // name as the driver gives it, "NVIDIA H200"
  int major = 0, minor = 0;                     // compute capability
  std::string date, driver, compiler, program;  // day of the measurement; versions of driver, compiler, this program
  std::map<Quantity, Figure> figures;           // the measured figures
  // Where lanes hold the elements of 16×16×16 fragments, by fragment ("a", "b", "accumulator_f16", "accumulator_f32"):
  // entry l · (elements of a lane) + i is the element, row · 16 + column, that lane l holds as its x[i].
  std::map<std::string, std::vector<int>> fragments;

  // Returns the results as JSON: {"device", "compute_capability": [major, minor], "date", "driver", "compiler",
  // "program", "figures": {name of a quantity: {"value", "how"}}, "fragments": {name: [elements]}}.
  std::string text() const;
};

// Parses the JSON that ProbeResults::text returns. `origin` is the file's name for messages. Error "DeviceFileError"
// says what is wrong. A figure's source then names program, device, date and driver before the "how" of the JSON.
Result<ProbeResults> parseProbeResults(const std::string& text, const std::string& origin);
// Updates `device` with measurements; has no effect if they were taken on a device of another name. A figure that the
// device lacks is added, a higher measurement replaces the device's figure (probes measure rates only), and a lower one
// is named in its source.
void applyProbeResults(Device& device, const ProbeResults& probed);
// Reads all files of the folder assets/probed, in the order of their names; returns none if there is no such folder.
// Error "DeviceFileError" if a file can't be read or isn't valid.
Result<std::vector<ProbeResults>> loadProbeResults(const std::filesystem::path& assets);

// Returns a note on where and when the layout of a fragment was measured.
Message fragmentNote(const ProbeResults& probed);
// Returns the measured layout of a fragment, a map from (lane, register, part of the register) to (row, column). Only
// fragments of 16×16×16 tiles with float16 operands from row-major memory are measured. Errors: "UnknownFragment" for
// other fragments; "LayoutError" if no layout describes the measured places.
Result<layout::Layout> fragmentLayout(const ProbeResults& probed, const FragmentKind& kind);

}  // namespace loom::model
