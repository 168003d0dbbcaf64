// Which device the model answers for. Times that are known stay those of the device that they were taken on.
#include <algorithm>

#include "app/workbench/parts.h"

namespace loom::workbench {

std::shared_ptr<const Result<model::Device>> Workbench::modelDevice() const { return parts_->modelDevice; }
const std::vector<model::Device>& Workbench::describedDevices() const { return parts_->describedDevices; }

std::function<void(std::function<void()>)> Workbench::Parts::finishForDevice() {
  return [this, tag = opened, order = deviceOrder.load()](std::function<void()> take) {
    finishFor(tag, [this, order, take = std::move(take)] {
      if (deviceOrder == order) take();
    });
  };
}

void Workbench::chooseDevice(const std::string& name) {
  Parts& p = *parts_;
  const auto found = std::find_if(p.describedDevices.begin(), p.describedDevices.end(),
                                  [&](const model::Device& d) { return d.name == name; });
  if (name == p.device.chosen || (!name.empty() && found == p.describedDevices.end())) return;
  const std::optional<std::string> ghost = p.preview ? std::optional(p.preview->lines) : std::nullopt;
  endPreview();
  endSweep();
  p.discard(std::exchange(p.sweep, std::nullopt));
  p.device.chosen = name;
  p.chosenArchitecture = name.empty() ? "" : found->architecture();
  ++p.deviceOrder;
  p.modelDevice = nullptr;
  p.discard(std::exchange(p.models, {}));
  for (auto& [node, slot] : p.stalled) {  // to be held to the other machine code
    slot.machine = nullptr;
    if (slot.file) slot.known = nullptr;
  }
  p.dropCompiling();
  p.endCompiling(false);
  p.discard(std::exchange(p.compiled, {}));
  p.discard(std::exchange(p.ptx, {}));
  p.ptxAsked.clear();
  p.fragments.clear();
  p.compileAsked.clear();
  for (const auto& [node, d] : p.derived) p.wantCompiled(node);
  ++p.revision;
  if (ghost) preview(*ghost);
}

bool Workbench::isModelled(const std::string& device) const { return device == modelledDevice(parts_->device); }

bool Workbench::timesAreOthers() const {
  Parts& p = *parts_;
  if (p.device.chosen.empty()) return false;
  if (p.othersAt != p.revision) {
    p.othersAt = p.revision;
    p.others = std::any_of(p.timed.begin(), p.timed.end(), [&](const auto& state) {
      const document::Timed& t = state.second;
      return t.measured() && t.result->origin != gpu::ResultOrigin::Executed && !isModelled(t.device);
    });
  }
  return p.others;
}

}  // namespace loom::workbench
