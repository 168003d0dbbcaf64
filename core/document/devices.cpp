#include "core/document/devices.h"

#include <algorithm>
#include <cctype>

#include "core/document/file.h"
#include "core/gpu/describe.h"

namespace loom::document {
namespace fs = std::filesystem;

std::vector<model::ProbeResults> knownProbes(const DeviceSources& sources, std::vector<Message>* remarks) {
  std::vector<model::ProbeResults> all;
  for (const fs::path& root : {sources.assets, sources.kept}) {
    if (root.empty()) continue;
    auto probed = model::loadProbeResults(root);
    if (!probed) {
      if (remarks) remarks->push_back(message("{}; passed over", probed.error().message));
      continue;
    }
    for (model::ProbeResults& p : *probed) all.push_back(std::move(p));
  }
  all.insert(all.end(), sources.seen.begin(), sources.seen.end());
  return all;
}

Result<KnownDevices> knownDevices(const DeviceSources& sources) {
  KnownDevices known;
  auto described = model::loadDevices(sources.assets);
  if (!described) return Failure(described.error());
  known.all = std::move(*described);
  // Assets' probes were taken in with the descriptions.
  for (const model::ProbeResults& p : knownProbes({{}, sources.kept, {}, sources.seen}, &known.remarks)) {
    for (model::Device& d : known.all) model::applyProbeResults(d, p);
  }
  const auto& here = sources.here;
  const bool isDescribed = std::any_of(known.all.begin(), known.all.end(),
                                       [&](const model::Device& d) { return here && d.name == here->name; });
  if (!here || here->cpu || isDescribed) return known;
  if (auto own = gpu::describe(*here)) {
    for (const model::ProbeResults& p : knownProbes(sources)) model::applyProbeResults(*own, p);
    known.all.push_back(std::move(*own));
  }
  return known;
}

Result<model::Device> knownDevice(const DeviceSources& sources, const std::string& wanted) {
  auto known = knownDevices(sources);
  if (!known) return Failure(known.error());
  auto found = model::findDevice(known->all, wanted);
  if (!found && sources.here && sources.here->name == wanted) {
    if (auto own = gpu::describe(*sources.here); !own) return Failure(own.error());
  }
  return found;
}

Result<fs::path> keepProbed(const fs::path& kept, const model::ProbeResults& probed) {
  if (kept.empty())
    return fail("NoFolder", message("the user has no folder to keep it in ($HOME, $XDG_DATA_HOME)"),
                Forbids::Environment);
  std::string name;
  for (unsigned char c : probed.device) name += std::isalnum(c) ? char(std::tolower(c)) : '_';
  const fs::path file = kept / "probed" / (name + ".json");
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (auto written = writeFile(file.string(), probed.text()); !written) return Failure(written.error());
  return file;
}

}  // namespace loom::document
