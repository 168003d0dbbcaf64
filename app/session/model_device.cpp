#include "app/session/model_device.h"

#include <algorithm>

#include "core/document/devices.h"

namespace loom::session {

std::string modelledDevice(const DeviceStatus& status) {
  if (!status.chosen.empty()) return status.chosen;
  const std::string name = status.here && !status.here->cpu ? status.here->name : status.recorded;
  return name.empty() ? "h200" : name;
}

ModelDevice::ModelDevice(const Options& options, Jobs& jobs, Tools& tools)
    : options_(options), jobs_(jobs), tools_(tools) {
  jobs_[Queue::kBench].submit([this] {
    tools_.bench = std::make_unique<document::Bench>(options_.bench);
    DeviceStatus status;
    status.known = true;
    if (const auto& here = tools_.bench->device()) {
      status.here = *here;
    } else {
      status.problem = here.error();
    }
    if (const auto& recordings = tools_.bench->recordings(); !recordings.empty()) {
      status.recorded = recordings.front().device.name;
      status.recordedDate = recordings.front().date;
    }
    document::DeviceSources sources = tools_.devices->sources();
    sources.here = status.here;
    // What is wrong with the assets' files the models say.
    document::KnownDevices known = document::knownDevices(sources).value_or(document::KnownDevices{});
    std::vector<Message> remarks = tools_.bench->remarks();
    remarks.insert(remarks.end(), known.remarks.begin(), known.remarks.end());
    jobs_.finish([this, status, sources, known, remarks, date = measuredOn(sources)] {
      status_ = status;
      tools_.devices->renew(sources);
      devices_ = known.all;
      ceilings_.measured = date;
      if (auto found = model::findDevice(known.all, options_.model)) {
        status_.chosen = found->name;
        chosenArchitecture_ = found->architecture();
      }
      remarks_ = remarks;
    });
  });
}

bool ModelDevice::choose(const std::string& name) {
  const auto found =
      std::find_if(devices_.begin(), devices_.end(), [&](const model::Device& d) { return d.name == name; });
  if (name == status_.chosen || (!name.empty() && found == devices_.end())) return false;
  status_.chosen = name;
  chosenArchitecture_ = name.empty() ? "" : found->architecture();
  return true;
}

bool ModelDevice::comparesWith(const std::string& device) const {
  const std::string modelled = modelledDevice(status_);
  if (device == modelled) return true;
  const auto found = model::findDevice(devices_, modelled);
  return found && found->name == device;
}

std::string ModelDevice::architecture() const {
  if (!status_.chosen.empty()) return chosenArchitecture_;
  return status_.here && !status_.here->cpu ? status_.here->architecture() : "";
}

void ModelDevice::beginGeneration() {
  ++generation_;
  figures_ = nullptr;
}

std::function<void(std::function<void()>)> ModelDevice::finisher() {
  return [this, target = jobs_.target(), generation = generation()](std::function<void()> take) {
    jobs_.finishFor(target, [this, generation, take = std::move(take)] {
      if (generation_ == generation) take();
    });
  };
}

std::string ModelDevice::measuredOn(const document::DeviceSources& sources) {
  std::string date;
  if (!sources.here) return date;
  for (const model::ProbeResults& p : document::knownProbes(sources)) {
    if (p.device == sources.here->name) date = std::max(date, p.date);
  }
  return date;
}

void ModelDevice::measureCeilings() {
  if (!status_.here || status_.here->cpu || ceilings_.underWay) return;
  ceilings_ = {true, 0, 0, std::nullopt, ceilings_.measured};
  ++jobs_.measuring;
  jobs_[Queue::kBench].submit([this] {
    auto probed = tools_.bench->probe([this](const gpu::Shown& shown) {
      jobs_.finish([this, done = shown.done, of = shown.of] {
        ceilings_.done = done;
        ceilings_.of = of;
      });
    });
    std::optional<Error> problem;
    document::DeviceSources sources = tools_.devices->sources();
    std::vector<model::Device> all;
    if (!probed) {
      problem = probed.error();
    } else {
      // Where it can't be written it lives as long as the window.
      if (auto kept = document::keepProbed(options_.dataFolder, *probed); !kept) {
        problem = kept.error();
        sources.seen.push_back(*probed);
      }
      if (auto known = document::knownDevices(sources)) all = std::move(known->all);
    }
    jobs_.finish([this, problem, sources, all, date = measuredOn(sources)] {
      --jobs_.measuring;
      ceilings_ = {false, 0, 0, problem, date};
      if (all.empty()) return;
      tools_.devices->renew(sources);
      devices_ = all;
      measured_ = true;
    });
  });
}

}  // namespace loom::session
