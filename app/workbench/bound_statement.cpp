#include "app/workbench/bound_statement.h"

namespace loom::workbench {

bool hasKernel(const Derived& derived) { return derived.kernel.program && !derived.kernel.program->kernels.empty(); }

std::shared_ptr<const ThreadBinding> bindingOf(const std::shared_ptr<const Derived>& derived,
                                               std::vector<model::Probed> probed) {
  if (!derived || !hasKernel(*derived)) return nullptr;
  return std::make_shared<const ThreadBinding>(
      std::shared_ptr<const device::Program>(derived, &*derived->kernel.program), 0, std::move(probed));
}

void BoundStatement::work() {
  view = binding->view(choice);
  owners.reset();
  if (element) owners = binding->owners(choice, element->first, element->second);
  touches.reset();
  if (countedBy)
    touches = touchView(binding->accesses(), view.shape, choice.access, *countedBy, choice.block, choice.thread);
  againstView.reset();
  if (!against || binding->accesses().accesses.empty()) return;
  if (!againstBinding) againstBinding = bindingOf(against);
  if (!againstBinding) return;
  const model::Access& access = binding->accesses().accesses[std::size_t(choice.access)];
  BindingChoice same = choice;
  same.loops.clear();
  same.access = againstBinding->find(access.blockName, access.buffer->name, access.write);
  if (same.access >= 0) againstView = againstBinding->view(againstBinding->clamped(std::move(same)));
}

}  // namespace loom::workbench
