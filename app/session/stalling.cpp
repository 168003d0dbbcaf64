// What warps wait for: looked up, and held to the machine code where there is something, in the modelling thread;
// sampled in the benching thread, so that no measurement runs beside it.
#include <fmt/format.h>

#include "app/session/parts.h"

namespace loom::workbench {

document::StallStore& Workbench::Parts::stallsKept() {
  const auto& data = options.dataFolder;
  if (!stallStore) stallStore.emplace(options.assets, data.empty() ? data : data / "profiles");
  return *stallStore;
}

void Workbench::Parts::wantStalls(int node) {
  auto d = programs.find(node);
  if (d == programs.end() || !device.known || d->second->kernel.problem) return;
  Stalled& slot = stalled[node];
  if (slot.from != d->second) {
    slot = {d->second, nullptr, nullptr, nullptr};
    const bool gpu = device.here && !device.here->cpu;
    modelling->submit([this, node, tag = opened, from = d->second, here = gpu ? device.here->name : std::string()] {
      const document::StateStalls file = stallsKept().find(from->kernel.key, here);
      finishFor(tag, [this, node, from, file] { takeStalls(node, from, file, std::nullopt); });
    });
  }
  if (!slot.file) return;
  wantModel(node, ModelBasis::kMachineCode);
  const auto m = models.find(node);
  if (m == models.end() || m->second.from != slot.from || !m->second.made) return;
  const auto machine = m->second.made->machine;
  if (!machine || slot.machine == machine) return;
  slot.machine = machine;
  modelling->submit([this, node, machine, tag = opened, from = slot.from, file = slot.file, chosen = device.chosen] {
    document::StallResult held = document::knownStalls(file, *machine, from->kernel.source.text);
    if (held.problem && !chosen.empty() && chosen != file->device)
      held.problem =
          fail("OtherDevice", fmt::format("the samples are of {}, the machine code is for {}", file->device, chosen),
               Forbids::Input)
              .value();
    auto known = std::make_shared<const document::StallResult>(std::move(held));
    finishFor(tag, [this, node, machine, file, known] {
      Stalled& slot = stalled[node];
      if (slot.machine == machine && slot.file == file) slot.known = known;
    });
  });
}

void Workbench::Parts::takeStalls(int node, const std::shared_ptr<const Program>& from, document::StateStalls file,
                                  const std::optional<Error>& problem) {
  Stalled& slot = stalled[node];
  if (slot.from != from) return;
  if (file) {
    slot.file = std::move(file);
    slot.machine = nullptr;  // to be held to it
  } else {
    document::StallResult known = slot.known ? *slot.known : document::StallResult{};
    known.problem = problem;
    slot.known = std::make_shared<const document::StallResult>(std::move(known));
  }
}

std::shared_ptr<const document::StallResult> Workbench::stalls(int node) const {
  parts_->wantStalls(node);
  auto found = parts_->stalled.find(node);
  if (found == parts_->stalled.end()) return nullptr;
  auto d = parts_->programs.find(node);
  return d != parts_->programs.end() && d->second == found->second.from ? found->second.known : nullptr;
}

const Result<std::string>* Workbench::stallSampler() const {
  Parts& p = *parts_;
  if (!p.samplerAsked && p.device.known) {
    p.samplerAsked = true;
    Result<gpu::DeviceInfo> here = fail("NoDevice", "the CUDA driver reports no device", Forbids::Environment);
    if (p.device.problem) here = Failure(*p.device.problem);
    if (p.device.here) here = *p.device.here;
    p.modelling->submit([parts = &p, here] {
      const auto found = document::stallSampler(here, parts->options.bench.localWorkerCommand);
      const auto said = found ? Result<std::string>("ncu " + found->version) : Failure(found.error());
      parts->finish([parts, said] { parts->sampler = said; });
    });
  }
  return p.sampler ? &*p.sampler : nullptr;
}

void Workbench::sampleStalls(int node) {
  Parts& p = *parts_;
  auto slot = p.stalled.find(node);
  if (!p.device.here || slot == p.stalled.end() || !slot->second.from) return;
  ++p.measuring;
  p.sampling = {};
  p.benching->submit([parts = &p, node, tag = p.opened, from = slot->second.from, product = p.matmul,
                      label = std::to_string(history().node(node).number), stop = p.sampling.get_token()] {
    document::StallRequest request;
    request.label = label;
    request.kernel = &from->kernel;
    request.matmul = product;
    request.workerCommand = parts->options.bench.localWorkerCommand;
    auto made = document::sampleStalls(
        *parts->bench, request, [parts](const std::string& what) { parts->say(what); }, stop);
    parts->say("");
    parts->finish([parts] { --parts->measuring; });
    if (!made) {
      parts->finishFor(tag, [parts, node, from, why = made.error()] {
        if (why.code != "Cancelled") parts->takeStalls(node, from, nullptr, why);
      });
      return;
    }
    const auto file = std::make_shared<const profile::ProfileFile>(std::move(made->file));
    parts->modelling->submit([parts, node, tag, from, file] {
      // Where it can't be written it lives as long as the window.
      (void)parts->stallsKept().put(file);
      parts->finishFor(tag, [parts, node, from, file] { parts->takeStalls(node, from, file, std::nullopt); });
    });
  });
}

}  // namespace loom::workbench
