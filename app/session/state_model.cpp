#include "app/session/state_model.h"

#include <algorithm>
#include <utility>

namespace loom::session {

std::shared_ptr<const Result<model::Timeline>> StateModel::timeline() const {
  return isKernel() ? std::shared_ptr<const Result<model::Timeline>>(kernel, &kernel->timeline) : nullptr;
}

std::shared_ptr<const model::KernelAccesses> StateModel::accesses() const {
  return isKernel() ? std::shared_ptr<const model::KernelAccesses>(kernel, &kernel->accesses) : nullptr;
}

StateModel stateModelOf(std::shared_ptr<const document::KernelText> text, const Known& known) {
  StateModel made;
  made.text = std::move(text);
  if (known.device) made.device = *known.device;
  const device::Program* statements = made.text->statements();
  if (!statements || statements->kernels.empty()) return made;
  made.which = longestKernel(*statements, known.device);
  const device::Kernel& kernel = statements->kernels[made.which];
  model::Machine machine;
  machine.source = &made.text->source;
  if (known.binary) {
    made.basis = ModelBasis::kResources;
    for (const auto& r : known.binary->kernels)
      if (r.name == kernel.name) made.resources = r;
    if (made.resources) machine.resources = &*made.resources;
  }
  std::vector<sass::Kernel> kernels;
  if (known.sass) {
    made.basis = ModelBasis::kMachineCode;
    if (!*known.sass) {
      made.sassProblem = known.sass->error();
    } else if (auto read = sass::parse(**known.sass)) {
      kernels = std::move(*read);
      for (const auto& k : kernels)
        if (k.name == kernel.name) machine.sass = &k;
    } else {
      made.sassProblem = read.error();
    }
  }
  // Without a device the counts still hold: they ask nothing of it.
  static const model::Device kNoDevice;
  made.kernel = std::make_shared<const model::KernelModel>(
      model::modelOf(kernel, made.device ? *made.device : kNoDevice, machine));
  if (kernel.draft) return made;  // what never runs takes no time
  if (made.device) made.advice = model::adviceOn(*made.kernel, *made.device);
  if (made.kernel->machineProblem) made.sassProblem = *made.kernel->machineProblem;
  if (machine.sass) made.machine = std::make_shared<const sass::Kernel>(*machine.sass);
  return made;
}

StateModel stateModelOf(const document::KernelText& text, const Known& known) {
  return stateModelOf(std::make_shared<const document::KernelText>(text), known);
}

std::size_t longestKernel(const device::Program& program, const model::Device* device) {
  const auto& kernels = program.kernels;
  if (kernels.size() == 1) return 0;
  std::vector<double> times;
  for (const device::Kernel& kernel : kernels) {
    if (!device || kernel.draft) break;
    const auto estimate = model::estimateOf(model::accessesOf(kernel), *device);
    if (!estimate) break;
    times.push_back(estimate->microseconds);
  }
  if (times.size() == kernels.size()) return std::size_t(std::ranges::max_element(times) - times.begin());
  const auto buffers = [](const device::Kernel& kernel) { return kernel.allocations.size(); };
  return std::size_t(std::ranges::max_element(kernels, {}, buffers) - kernels.begin());
}

}  // namespace loom::session
