#include "app/panels/code/view/derived.h"

#include <fmt/format.h>

#include "app/session/pointing.h"
#include "app/session/unheeded.h"

namespace loom::workbench {

DeriveInput deriveInput(const document::History& history, int node) {
  DeriveInput input;
  input.nest = nestInput(history, node);
  input.sizes = history.sizes();
  if (const int parent = history.node(node).parent; parent >= 0) input.parentScript = history.node(parent).script;
  for (int at : history.path(node)) {
    for (const document::Line& line : history.node(at).lines) input.numbers[line.uid] = history.node(at).number;
  }
  return input;
}

std::shared_ptr<const Derived> derivedOf(const DeriveInput& input) {
  auto kernelOf = [&](const schedule::State& state) {
    return document::makeKernel(
        state,
        [&](ir::Id id) -> std::string {
          const schedule::Origin* origin = state.origin(id);
          if (origin == nullptr) return "";
          auto number = input.numbers.find(origin->step);
          return number == input.numbers.end() ? std::string(origin->primitive)
                                               : fmt::format("{}, step {}", origin->primitive, number->second);
        },
        0, input.sizes);
  };
  const auto& path = input.nest.path;
  auto made = std::make_shared<Derived>();
  made->kernel = kernelOf(path.back());
  made->code = input.nest.script;
  made->script = script::splitLines(made->code->text);
  made->cuda = script::splitLines(made->kernel.source.text);
  made->unheeded = unheededIn(made->kernel);
  if (path.size() > 1 && input.parentScript) {
    made->scriptDiff = script::diffLines(script::splitLines(input.parentScript->text), made->script);
    const document::KernelText before = kernelOf(path[path.size() - 2]);
    made->parentHasKernel = !before.problem;
    made->stepRemarks = lower::remarksOnStep(path[path.size() - 2], before.program ? &*before.program : nullptr,
                                             path.back(), made->kernel.program ? &*made->kernel.program : nullptr);
    for (const lower::StepRemark& r : made->stepRemarks)
      if (r.kind == lower::StepRemark::Kind::kBreaks) made->unheeded.push_back({r.text, r.subjects});
    if (made->parentHasKernel) made->cudaDiff = script::diffLines(script::splitLines(before.source.text), made->cuda);
  }
  made->nest = loopNestOf(input.nest, &made->kernel);
  for (const device::Remark& remark : made->unheeded)
    for (ir::Id id : remark.subjects)
      if (const int row = made->nest.find(id); row >= 0)
        made->nest.rows[std::size_t(row)].unheeded.push_back(remark.text);
  made->scriptMeaning = {idsOfScript(*made->code, made->script.size()),
                         namesOfScript(*made->code, made->script, made->kernel.function, made->nest),
                         foldEnds(made->script),
                         {}};
  made->scriptMeaning.unheeded = unheededByLine(made->unheeded, made->script, made->scriptMeaning.ids);
  made->cudaMeaning = {{}, namesOfCuda(made->kernel, made->cuda, made->nest), foldEnds(made->cuda), {}};
  for (int line = 1; line <= int(made->cuda.size()); ++line) {
    made->cudaMeaning.ids.push_back(idsOfCudaLine(*made, line));
  }
  made->cudaMeaning.unheeded = unheededByLine(made->unheeded, made->cuda, made->cudaMeaning.ids);
  return made;
}

}  // namespace loom::workbench
