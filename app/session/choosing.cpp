// Which device the model answers for. Times that are known stay those of the device that they were taken on.
#include <algorithm>

#include "app/session/parts.h"

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
  const std::optional<Preview> ghost = p.preview;
  endPreview();
  endSweep();
  p.discard(std::exchange(p.sweep, std::nullopt));
  p.device.chosen = name;
  p.chosenArchitecture = name.empty() ? "" : found->architecture();
  p.deviceChanged();
  if (ghost) p.startPreview(ghost->lines, ghost->at, ghost->edit);
}

void Workbench::Parts::deviceChanged() {
  ++deviceOrder;
  modelDevice = nullptr;
  discard(std::exchange(models, {}));
  for (auto& [node, slot] : stalled) {  // to be held to the other machine code
    slot.machine = nullptr;
    if (slot.file) slot.known = nullptr;
  }
  dropCompiling();
  endCompiling(false);
  discard(std::exchange(compiled, {}));
  discard(std::exchange(ptx, {}));
  ptxAsked.clear();
  fragments.clear();
  compileAsked.clear();
  for (const auto& [node, d] : programs) wantCompiled(node);
  ++revision;
}

bool Workbench::isOtherSide() const { return parts_->otherSide; }
const std::shared_ptr<DeviceCache>& Workbench::described() const { return parts_->described; }
const Workbench::Ceilings& Workbench::ceilings() const { return parts_->ceilings; }

std::string Workbench::Parts::measuredOn(const document::DeviceSources& sources) {
  std::string date;
  if (!sources.here) return date;
  for (const model::ProbeResults& p : document::knownProbes(sources)) {
    if (p.device == sources.here->name) date = std::max(date, p.date);
  }
  return date;
}

void Workbench::measureCeilings() {
  Parts& p = *parts_;
  if (!p.device.here || p.device.here->cpu || p.ceilings.underWay) return;
  p.ceilings = {true, 0, 0, std::nullopt, p.ceilings.measured};
  ++p.measuring;
  p.benching->submit([parts = &p, folder = p.options.dataFolder] {
    auto probed = parts->bench->probe([parts](const gpu::Shown& shown) {
      parts->finish([parts, done = shown.done, of = shown.of] {
        parts->ceilings.done = done;
        parts->ceilings.of = of;
      });
    });
    std::optional<Error> problem;
    document::DeviceSources sources = parts->described->sources();
    std::vector<model::Device> all;
    if (!probed) {
      problem = probed.error();
    } else {
      // Where it can't be written it lives as long as the window.
      if (auto kept = document::keepProbed(folder, *probed); !kept) {
        problem = kept.error();
        sources.seen.push_back(*probed);
      }
      if (auto known = document::knownDevices(sources)) all = std::move(known->all);
    }
    parts->finish([parts, problem, sources, all, date = Parts::measuredOn(sources)] {
      --parts->measuring;
      parts->ceilings = {false, 0, 0, problem, date};
      if (all.empty()) return;
      parts->described->renew(sources);
      parts->describedDevices = all;
      parts->deviceChanged();
    });
  });
}

bool Workbench::isModelled(const std::string& device) const { return device == modelledDevice(parts_->device); }

bool Workbench::timesAreFromAnotherDevice() const {
  Parts& p = *parts_;
  if (p.device.chosen.empty()) return false;
  if (p.othersAt != p.revision) {
    p.othersAt = p.revision;
    p.others = std::any_of(p.timed.begin(), p.timed.end(), [&](const auto& state) {
      const document::KnownTime& t = state.second;
      return t.measured() && t.result->origin != gpu::ResultOrigin::Executed && !isModelled(t.device);
    });
  }
  return p.others;
}

}  // namespace loom::workbench
