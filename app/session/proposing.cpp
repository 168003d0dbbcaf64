// What could be done next to be faster: searched in a thread of its own, with the threads that compile and model.
#include <chrono>
#include <future>
#include <thread>

#include "app/session/parts.h"
#include "app/session/predicted_time.h"
#include "core/exec/check.h"

namespace loom::workbench {

namespace {

constexpr double kBudget = 0.5;                               // seconds that a promising program is executed
constexpr std::chrono::milliseconds kRest{500}, kGlance{10};  // that one stays at a state before it is searched

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
    return std::nullopt;
  }
}

}  // namespace

std::optional<double> Workbench::Parts::compiledTime(const document::KernelText& kernel, const std::string& device,
                                                     const std::string& architecture) {
  if (!kernel.program || kernel.program->kernels.size() != 1) return std::nullopt;
  const auto binary = waitFor(*compilingQueue, [this, &kernel, &architecture]() -> std::optional<compile::Binary> {
    auto compiled = compiler->compile(kernel.source.text, compiledFor(architecture));
    return compiled ? std::optional(std::move(*compiled)) : std::nullopt;
  });
  if (!binary) return std::nullopt;
  return waitFor(*modelling, [&, this]() -> std::optional<double> {
    return compiledEstimate(*described->of(device), kernel, *binary);
  });
}

std::optional<double> Workbench::Parts::compiledEstimate(const Result<model::Device>& figures,
                                                         const document::KernelText& kernel,
                                                         const compile::Binary& binary) {
  const auto made =
      modelOfBinary(figures, std::make_shared<const document::KernelText>(kernel), binary, ModelBasis::kMachineCode);
  const bool deep = made->depth == ModelBasis::kMachineCode && !made->sassProblem && made->estimate();
  return deep ? std::optional(made->estimate()->microseconds) : std::nullopt;
}

void Workbench::Parts::endProposing() {
  constexpr std::size_t kKept = 32;
  if (proposing.stop) {
    proposing.stop->flag = true;
    proposing.stop->source.request_stop();
  }
  if (proposing.made && proposing.made->done) proposed.push_back(std::move(proposing));
  if (proposed.size() > kKept) proposed.pop_front();
  proposing = {};
}

std::shared_ptr<const Proposals> Workbench::proposals() const {
  Parts& p = *parts_;
  const auto now = program(current());
  if (!now || now->kernel.problem || !p.device.known) return nullptr;
  if (p.proposing.from == now && p.proposing.device == p.deviceOrder) return p.proposing.made;
  for (const Parts::Proposing& known : p.proposed)
    if (known.from == now && known.device == p.deviceOrder) return known.made;
  if (p.otherSide || (!p.wantsProposals && p.proposedAnyway != now)) return nullptr;
  if (!modelIsFinal(current())) return nullptr;
  const auto known = stateModel(current(), ModelBasis::kMachineCode);
  if (!known || !known->estimate()) return nullptr;
  p.endProposing();
  p.proposing = {now, p.deviceOrder, nullptr, std::make_shared<Parts::Stop>()};
  const bool deep = known->depth == ModelBasis::kMachineCode && !known->sassProblem && Parts::isOneKernel(*now);
  auto search = std::make_shared<ProposalSearch>(ProposalSearch{history(), current(), known->advice});
  if (deep) search->compiledBefore = known->estimate()->microseconds;
  const std::string device = modelledDevice(p.device);
  p.proposingQueue->submit([parts = &p, search, device, deep, stop = p.proposing.stop, from = now,
                            environment = p.environment, finishHere = p.finishForDevice(),
                            architecture = p.architecture()] {
    // Whoever steps through states wants nothing of those that are passed.
    for (auto waited = kRest; waited.count() > 0 && !stop->flag; waited -= kGlance)
      std::this_thread::sleep_for(kGlance);
    if (stop->flag) return;
    const auto figures = parts->described->of(device);
    if (!*figures) return;
    search->written = [&](const document::KernelText& kernel) { return predictedTime(kernel, **figures); };
    if (deep) {
      search->compiled = [&](const document::KernelText& kernel) {
        return parts->compiledTime(kernel, device, architecture);
      };
    }
    exec::Options how;
    how.budget = kBudget;
    how.stop = stop->source.get_token();
    const auto& original = search->history.node(0).state.module().functions;
    how.numbers = document::choicesOf(search->history.sizes(), *original.front()).front().numbers;
    auto checker = exec::Checker::create(original.front(), how);
    search->isRight = [&](const schedule::State& state) {
      if (!checker) return false;
      const auto report = checker->check(state.module().functions.front());
      return report && report->foundNothing() && !report->inOrder;
    };
    search->tell = [&](const Proposals& made) {
      finishHere([parts, from, made = std::make_shared<const Proposals>(made)] {
        if (parts->proposing.from == from) parts->proposing.made = made;
      });
    };
    search->progress = [&](int done, int of) {
      stop->done = done;
      stop->of = of;
    };
    const Proposals made = searchProposals(*search, environment, stop->flag);
    if (made.steps == 0) search->tell(made);
  });
  return nullptr;
}

void Workbench::wantProposals(bool wanted) {
  Parts& p = *parts_;
  if (p.wantsProposals == wanted) return;
  p.wantsProposals = wanted;
  p.proposedAnyway.reset();
  if (!wanted) p.endProposing();
}

void Workbench::wantProposalsHere() { parts_->proposedAnyway = program(current()); }

bool Workbench::leavesProposals() const {
  const Parts& p = *parts_;
  if (p.wantsProposals || !p.device.known || p.otherSide) return false;
  const auto now = program(current());
  return now && !now->kernel.problem && p.proposedAnyway != now && !proposals();
}

bool Workbench::searchesProposals() const {
  const Parts::Proposing& now = parts_->proposing;
  return !parts_->otherSide && now.stop && !now.stop->flag && !(now.made && now.made->done);
}

std::pair<int, int> Workbench::proposalProgress() const {
  const auto& stop = parts_->proposing.stop;
  return stop && !stop->flag && !parts_->otherSide ? std::pair(stop->done.load(), stop->of.load()) : std::pair(0, 0);
}

ApplyOutcome Workbench::apply(const Proposal& proposal) {
  Parts& p = *parts_;
  const Proposal chosen = proposal;  // it belongs to the state that may be left now
  p.leaveOtherSide(*this);
  endPreview();
  // In place of an edited step stands another: a branch, at whose end the counterpart of the current state is.
  if (chosen.step.edited < 0) return apply(chosen.step.lines);
  return p.applyAt(chosen.step.at, chosen.step.lines);
}

}  // namespace loom::workbench
