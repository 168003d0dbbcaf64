// What probes saw of one device (`tileloom probe`), as a file of assets/probed keeps it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/model/device.h"
#include "core/model/fragment_code.h"

namespace loom::model {

struct ProbeResults {
  std::string device;  // as the driver says it, "NVIDIA H200"
  int major = 0, minor = 0;
  std::string date, driver, compiler, program;
  std::map<Quantity, Figure> figures;
  // By fragment, "a", "b", "accumulator_f16", "accumulator_f32" of 16×16×16 tiles: the element, row · 16 + column, that
  // lane l holds as its x[i], at l · (elements a lane) + i.
  std::map<std::string, std::vector<int>> fragments;

  std::string text() const;  // JSON
};

// Error "DeviceFileError" with what doesn't fit.
Result<ProbeResults> parseProbed(const std::string& text, const std::string& origin);
// Takes in what was measured of this very device: a roof is the highest that was ever seen, and a probe that reached
// less is named beside it.
void raise(Device& device, const ProbeResults& probed);
// All of assets/probed, by name of the file; none where there is no such folder.
Result<std::vector<ProbeResults>> loadProbed(const std::filesystem::path& assets);

// What is to be said beside a layout that was probed: where and when.
Message fragmentNote(const ProbeResults& probed);
// As fragmentOfCode gives it, of a fragment that was probed: those of 16×16×16 tiles of float16, from row-major memory.
// Errors: "UnknownFragment", and those of layout::fitDigits.
Result<layout::Layout> fragmentLayout(const ProbeResults& probed, const FragmentKind& kind);

}  // namespace loom::model
