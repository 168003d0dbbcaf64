#include "app/session/program.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/lower/annotations.h"

namespace loom::session {

StatePath statePath(const document::History& history, int node) {
  StatePath input;
  for (int at : history.path(node)) {
    const document::Node& n = history.node(at);
    input.path.push_back(n.state);
    input.lines.push_back(n.lines);
    auto& lines = input.lines.back();
    lines.insert(lines.end(), n.trailing.begin(), n.trailing.end());
  }
  input.script = history.node(node).script;
  return input;
}

ProgramInput programInput(const document::History& history, int node) {
  ProgramInput input;
  input.states = statePath(history, node);
  input.sizes = history.sizes();
  if (const int parent = history.node(node).parent; parent >= 0) input.parentScript = history.node(parent).script;
  for (int at : history.path(node)) {
    for (const document::Line& line : history.node(at).lines) input.numbers[line.uid] = history.node(at).number;
  }
  return input;
}

std::shared_ptr<const Program> programOf(const ProgramInput& input, const ViewMakers& views) {
  auto kernelAt = [&](const schedule::State& state) {
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
  const auto& path = input.states.path;
  auto made = std::make_shared<Program>();
  made->kernel = kernelAt(path.back());
  made->script = input.states.script;
  made->unheeded = unheededIn(made->kernel);
  std::optional<document::KernelText> before;
  if (path.size() > 1 && input.parentScript) {
    before = kernelAt(path[path.size() - 2]);
    made->stepRemarks = lower::remarksOnStep(path[path.size() - 2], before->program ? &*before->program : nullptr,
                                             path.back(), made->kernel.program ? &*made->kernel.program : nullptr);
    for (const lower::StepRemark& r : made->stepRemarks)
      if (r.kind == lower::StepRemark::Kind::kBreaks) made->unheeded.push_back({r.text, r.subjects});
  }
  if (views.ofProgram) views.ofProgram(*made, input, before ? &*before : nullptr);
  return made;
}

std::shared_ptr<const Program> markedAgainst(std::shared_ptr<const Program> program,
                                             std::shared_ptr<const Program> reference, const ViewMakers& views) {
  auto made = std::make_shared<Program>(*program);
  made->reference = std::move(reference);
  made->unmarked = std::move(program);
  made->views = {};
  if (views.ofMarkedProgram) views.ofMarkedProgram(*made);
  return made;
}

std::vector<device::Remark> unheededIn(const document::KernelText& kernel) {
  if (kernel.program) return kernel.program->remarks;
  if (!kernel.function) return {};
  return lower::remarksOnAnnotations(kernel.function->body);
}

}  // namespace loom::session
