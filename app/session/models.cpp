#include "app/session/models.h"

#include <future>
#include <utility>

#include "app/session/described_device.h"

namespace loom::session {

namespace {

// What `make` gives in that thread; none where it is dropped there.
template <typename Make>
auto waitFor(JobQueue& queue, Make make) -> decltype(make()) {
  auto task = std::make_shared<std::packaged_task<decltype(make())()>>(std::move(make));
  auto made = task->get_future();
  queue.submit([task] { (*task)(); });
  task.reset();
  try {
    return made.get();
  } catch (const std::future_error&) {
    return {};
  }
}

}  // namespace

bool isOneKernel(const Program& program) {
  return program.kernel.program && program.kernel.program->kernels.size() == 1;
}

// One job for each state and basis.
void Models::want(int node, ModelBasis basis) {
  const auto program = programs_.known(node);
  if (!program || !device_.status().known) return;
  const Result<compile::Binary>* binary = compilations_.of(node);
  if (!binary || !*binary || program->kernel.problem) basis = ModelBasis::kSource;
  Modelled& slot = models_[node];
  if (slot.from == program && slot.asked >= basis) return;
  if (slot.from != program) slot.made = nullptr;
  slot.from = program;
  slot.asked = basis;
  jobs_[Queue::kModels].submit([this, node, basis, finishHere = device_.finisher(), generation = device_.generation(),
                                program, name = modelledDevice(device_.status()),
                                copy = basis >= ModelBasis::kResources ? std::optional(**binary) : std::nullopt] {
    if (device_.generation() != generation) return;
    const auto figures = tools_.devices->of(name);
    const auto made =
        copy ? modelOfBinary(*figures, kernelOf(program), *copy, basis) : modelOn(*figures, kernelOf(program));
    if (options_.views.ofModel) options_.views.ofModel(*made);
    finishHere([this, node, program, made, figures] {
      device_.setFigures(figures);
      Modelled& slot = models_[node];
      if (slot.from == program && (!slot.made || slot.made->basis <= made->basis)) slot.made = made;
    });
  });
}

std::shared_ptr<const StateModel> Models::modelOfBinary(const Result<model::Device>& figures,
                                                        std::shared_ptr<const document::KernelText> text,
                                                        const compile::Binary& binary, ModelBasis basis) {
  Known all;
  all.binary = &binary;
  Result<std::string> sass = fail("NoSass", Message());
  if (basis == ModelBasis::kMachineCode) {
    auto& toolkit = tools_.toolkit;
    if (!toolkit) toolkit = compile::findToolkit(compile::defaultSearchPath());
    sass = *toolkit ? compile::disassemble(**toolkit, binary, true) : Result<std::string>(Failure(toolkit->error()));
    all.sass = &sass;
  }
  return modelOn(figures, std::move(text), all);
}

std::optional<CompiledTime> Models::compiledEstimate(const Result<model::Device>& figures,
                                                     const document::KernelText& kernel,
                                                     const compile::Binary& binary) {
  const auto made =
      modelOfBinary(figures, std::make_shared<const document::KernelText>(kernel), binary, ModelBasis::kMachineCode);
  const bool deep = made->isOfMachineCode() && made->estimate();
  if (!deep) return std::nullopt;
  return CompiledTime{made->estimate()->microseconds, made->resources ? made->resources->registers : 0};
}

std::optional<Result<compile::Binary>> Models::compiled(const document::KernelText& kernel,
                                                        const std::string& architecture) {
  // Compilations for states that the user leaves are cancelled, and whatever is compiled at that moment with them.
  constexpr int kMostTries = 4;
  for (int n = 0; n < kMostTries; ++n) {
    auto made = waitFor(jobs_[Queue::kCompilations], [&, this]() -> std::optional<Result<compile::Binary>> {
      return tools_.compiler->compile(kernel.source, compilations_.architectureFor(architecture));
    });
    if (!made || *made || made->error().code != "Cancelled") return made;
  }
  return std::nullopt;
}

std::shared_ptr<const StateModel> Models::compiledModel(std::shared_ptr<const document::KernelText> kernel,
                                                        const std::string& device, const std::string& architecture) {
  const auto binary = compiled(*kernel, architecture);
  if (!binary) return nullptr;
  return waitFor(jobs_[Queue::kModels], [&, this]() -> std::shared_ptr<const StateModel> {
    const auto figures = tools_.devices->of(device);
    auto made =
        *binary ? modelOfBinary(*figures, kernel, **binary, ModelBasis::kMachineCode) : modelOn(*figures, kernel);
    if (options_.views.ofModel) options_.views.ofModel(*made);
    return made;
  });
}

std::optional<CompiledTime> Models::compiledTime(const document::KernelText& kernel, const std::string& device,
                                                 const std::string& architecture) {
  if (!kernel.program || kernel.program->kernels.size() != 1) return std::nullopt;
  const auto binary = compiled(kernel, architecture);
  if (!binary || !*binary) return std::nullopt;
  return waitFor(jobs_[Queue::kModels], [&, this]() -> std::optional<CompiledTime> {
    return compiledEstimate(*tools_.devices->of(device), kernel, **binary);
  });
}

std::shared_ptr<const StateModel> Models::of(int node, ModelBasis basis) {
  want(node, basis);
  return known(node);
}

std::shared_ptr<const StateModel> Models::known(int node) const {
  const auto found = models_.find(node);
  if (found == models_.end()) return nullptr;
  const auto program = programs_.known(node);
  return program && program == found->second.from ? found->second.made : nullptr;
}

bool Models::saysAll(int node, const StateModel& made) const {
  if (const Result<compile::Binary>* binary = compilations_.of(node))
    return !*binary || made.basis == ModelBasis::kMachineCode || made.sassProblem;
  const bool comes = !compilations_.hasNoCompiler() && compilations_.isWanted(node);
  return !comes;
}

bool Models::isFinal(int node, bool ask) {
  if (ask) want(node, ModelBasis::kMachineCode);
  const auto made = known(node);
  return made && saysAll(node, *made);
}

std::optional<double> Models::prediction(int node, bool ask) {
  if (const document::KnownTime* time = results_.timed(node); time != nullptr && time->result) return std::nullopt;
  return results_.areFromAnotherDevice() ? std::nullopt : modelledTime(node, ask);
}

std::optional<double> Models::modelledTime(int node, bool ask) {
  if (ask) want(node, ModelBasis::kMachineCode);
  const auto made = known(node);
  if (!made || !isOneKernel(*models_[node].from)) return std::nullopt;
  const model::Estimate* estimate = made->estimate();
  if (!estimate || !saysAll(node, *made)) return std::nullopt;
  return estimate->microseconds;
}

void Models::reset() { jobs_.discard(std::exchange(models_, {})); }

}  // namespace loom::session
