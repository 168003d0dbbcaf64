// What the model says of each state, and its machine code as text: one job a state and depth, in a thread of its own.
#include <algorithm>

#include "app/session/parts.h"

namespace loom::workbench {

void Workbench::Parts::wantModel(int node, ModelBasis depth) {
  auto d = programs.find(node);
  if (d == programs.end() || !device.known) return;
  auto c = compiled.find(node);
  const bool binary = c != compiled.end() && c->second;
  if (!binary) depth = ModelBasis::kSource;
  if (d->second->kernel.problem) depth = ModelBasis::kSource;
  Modelled& slot = models[node];
  if (slot.from == d->second && slot.asked >= depth) return;
  if (slot.from != d->second) slot.made = nullptr;
  slot.from = d->second;
  slot.asked = depth;
  modelling->submit([this, node, depth, finishHere = finishForDevice(), order = deviceOrder.load(), from = d->second,
                     name = modelledDevice(device),
                     copy = depth >= ModelBasis::kResources ? std::optional(*c->second) : std::nullopt] {
    if (deviceOrder != order) return;
    const auto device = described->of(name);
    const auto made = copy ? modelOfBinary(*device, kernelOf(from), *copy, depth) : modelOn(*device, kernelOf(from));
    if (options.views.ofModel) options.views.ofModel(*made);
    finishHere([this, node, from, made, device] {
      modelDevice = device;
      Modelled& slot = models[node];
      if (slot.from == from && (!slot.made || slot.made->depth <= made->depth)) slot.made = made;
    });
  });
}

std::shared_ptr<const StateModel> Workbench::Parts::modelOfBinary(const Result<model::Device>& figures,
                                                                  std::shared_ptr<const document::KernelText> text,
                                                                  const compile::Binary& binary, ModelBasis depth) {
  Known all;
  all.binary = &binary;
  Result<std::string> sass = fail("NoSass", "");
  if (depth == ModelBasis::kMachineCode) {
    if (!toolkit) toolkit = compile::findToolkit(compile::defaultSearchPath());
    sass = *toolkit ? compile::disassemble(**toolkit, binary, true) : Result<std::string>(Failure(toolkit->error()));
    all.sass = &sass;
  }
  return modelOn(figures, std::move(text), all);
}

void Workbench::Parts::wantPtx(int node) {
  auto d = programs.find(node);
  if (d == programs.end() || !device.known || noCompiler || d->second->kernel.problem) return;
  if (!ptxAsked.insert(node).second) return;
  compilingQueue->submit([this, node, finishHere = finishForDevice(), from = d->second, here = architecture()] {
    auto text = compiler->ptx(from->kernel.source.text, compiledFor(here));
    finishHere([this, node, from, text = std::move(text)] {
      auto now = programs.find(node);
      const bool stale = now == programs.end() || now->second != from;
      if (stale || (!text && text.error().code == "Cancelled")) {
        ptxAsked.erase(node);
      } else {
        ptx.insert_or_assign(node, text ? Result<PtxText>(PtxText{*text, {}}) : Failure(text.error()));
      }
    });
  });
}

std::shared_ptr<const StateModel> Workbench::stateModel(int node, ModelBasis depth) const {
  parts_->wantModel(node, depth);
  return parts_->madeOf(node);
}

std::shared_ptr<const StateModel> Workbench::Parts::madeOf(int node) const {
  const auto found = models.find(node);
  if (found == models.end()) return nullptr;
  const auto d = programs.find(node);
  return d != programs.end() && d->second == found->second.from ? found->second.made : nullptr;
}

bool Workbench::Parts::isOneKernel(const Program& of) {
  return of.kernel.program && of.kernel.program->kernels.size() == 1;
}

bool Workbench::Parts::saysAll(int node, const StateModel& made) const {
  const auto binary = compiled.find(node);
  if (binary != compiled.end()) return !binary->second || made.depth == ModelBasis::kMachineCode || made.sassProblem;
  const bool comes = !noCompiler && compileAsked.count(node) > 0;
  return !comes;
}

bool Workbench::modelIsFinal(int node, bool ask) const {
  if (ask) parts_->wantModel(node, ModelBasis::kMachineCode);
  const auto made = parts_->madeOf(node);
  return made && parts_->saysAll(node, *made);
}

std::optional<double> Workbench::prediction(int node, bool ask) const {
  if (const document::KnownTime* known = timed(node); known != nullptr && known->result) return std::nullopt;
  return timesAreFromAnotherDevice() ? std::nullopt : modelledTime(node, ask);
}

std::optional<double> Workbench::modelledTime(int node, bool ask) const {
  const Parts& p = *parts_;
  if (ask) parts_->wantModel(node, ModelBasis::kMachineCode);
  const auto slot = p.models.find(node);
  if (slot == p.models.end() || !slot->second.made) return std::nullopt;
  const Program& from = *slot->second.from;
  if (!Parts::isOneKernel(from)) return std::nullopt;
  const auto d = p.programs.find(node);
  const model::Estimate* estimate = slot->second.made->estimate();
  if (!estimate || d == p.programs.end() || d->second != slot->second.from) return std::nullopt;
  if (!p.saysAll(node, *slot->second.made)) return std::nullopt;
  return estimate->microseconds;
}

const Result<PtxText>* Workbench::ptx(int node) const {
  parts_->wantPtx(node);
  auto found = parts_->ptx.find(node);
  return found == parts_->ptx.end() ? nullptr : &found->second;
}

const std::optional<Error>& Workbench::compilerProblem() const { return parts_->compilerProblem; }

}  // namespace loom::workbench
