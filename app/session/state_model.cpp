#include "app/session/state_model.h"

namespace loom::workbench {

StateModel stateModelOf(const document::KernelText& text, const Known& known) {
  StateModel made;
  if (known.device) made.performance.device = known.device->name;
  const device::Program* statements = text.statements();
  if (!statements || statements->kernels.empty()) {
    made.memory = memoryView(text, known.device, nullptr);
    made.performance.problem = made.memory.problem;
    return made;
  }
  const device::Kernel& kernel = largestKernel(*statements);
  model::Machine machine;
  machine.source = &text.source;
  if (known.binary) {
    made.depth = ModelBasis::kResources;
    for (const auto& r : known.binary->kernels)
      if (r.name == kernel.name) machine.resources = &r;
  }
  std::vector<sass::SassKernel> kernels;
  if (known.sass) {
    made.depth = ModelBasis::kMachineCode;
    if (!*known.sass) {
      made.sassProblem = known.sass->error();
    } else if (auto read = sass::parseSass(**known.sass)) {
      kernels = std::move(*read);
      for (const auto& k : kernels)
        if (k.name == kernel.name) machine.sass = &k;
    } else {
      made.sassProblem = read.error();
    }
  }
  // Without a device the counts still hold: they ask nothing of it.
  static const model::Device kNoDevice;
  const model::KernelModel model = model::modelOf(kernel, known.device ? *known.device : kNoDevice, machine);
  made.memory = memoryView(text, known.device, &model, machine.resources);
  if (kernel.draft) {  // what never runs takes no time
    made.performance.problem = made.memory.problem;
    return made;
  }
  made.performance = performanceView(model, known.device, machine.resources, made.memory);
  if (known.device) made.performance.device = known.device->name;
  made.timeline = std::make_shared<const Result<model::Timeline>>(model.timeline);
  made.accesses = std::make_shared<const model::KernelAccesses>(model.accesses);
  if (model.machineProblem) made.sassProblem = *model.machineProblem;
  if (machine.sass) {
    made.machine = std::make_shared<const sass::SassKernel>(*machine.sass);
    made.sass = sassText(*machine.sass, model.compiled ? &*model.compiled : nullptr, text.source.text);
  }
  return made;
}

}  // namespace loom::workbench
