#include "app/session/proposal_search.h"

#include <chrono>
#include <functional>
#include <thread>

#include "app/session/predicted_time.h"
#include "core/exec/check.h"

namespace loom::session {

namespace {

constexpr double kTrialBudget = 0.5;                          // seconds that a promising program is executed
constexpr std::chrono::milliseconds kRest{500}, kGlance{10};  // that one stays at a state before it is searched

// Calls a function where a job ends, also by an exception or before it has found anything.
struct AtEnd {
  std::function<void()> run;
  ~AtEnd() { run(); }
};

}  // namespace

void ProposalSearch::end() {
  constexpr std::size_t kKept = 32;
  if (search_.stop) {
    search_.stop->flag = true;
    search_.stop->source.request_stop();
  }
  if (search_.made && search_.made->done) done_.push_back(std::move(search_));
  if (done_.size() > kKept) done_.pop_front();
  search_ = {};
}

void ProposalSearch::cancel() {
  if (!search_.stop) return;
  search_.stop->flag = true;
  search_.stop->source.request_stop();
}

void ProposalSearch::reset() {
  end();
  jobs_.discard(std::exchange(done_, {}));
}

void ProposalSearch::follow() {
  if (search_.from && documents_.target() != nullptr && search_.from != programs_.of(navigation_.current())) end();
}

std::shared_ptr<const Proposals> ProposalSearch::proposals() {
  const int current = navigation_.current();
  const auto now = programs_.of(current);
  if (!now || now->kernel.problem || !device_.status().known) return nullptr;
  if (search_.from == now && search_.device == device_.generation()) return search_.made;
  for (const Search& known : done_)
    if (known.from == now && known.device == device_.generation()) return known.made;
  if (comparison_.isOtherSide() || (!enabled_ && searchedAnyway_ != now)) return nullptr;
  if (!models_.isFinal(current)) return nullptr;
  const auto known = models_.of(current, ModelBasis::kMachineCode);
  if (!known || !known->estimate()) return nullptr;
  end();
  search_ = {now, device_.generation(), nullptr, std::make_shared<Stop>(), false};
  const bool deep = known->isOfMachineCode() && isOneKernel(*now);
  auto query = std::make_shared<ProposalQuery>(ProposalQuery{documents_.history(), current, known->advice});
  if (deep)
    query->compiledBefore = {known->estimate()->microseconds, known->resources ? known->resources->registers : 0};
  const std::string device = modelledDevice(device_.status());
  jobs_[Queue::kProposals].submit([this, query, device, deep, stop = search_.stop, from = now,
                                   environment = documents_.environment(), finishHere = device_.finisher(),
                                   architecture = device_.architecture()] {
    const AtEnd over{[this, &finishHere, &stop] {
      finishHere([this, stop] {
        if (search_.stop == stop) search_.ended = true;
      });
    }};
    // Whoever steps through states wants nothing of those that are passed.
    for (auto waited = kRest; waited.count() > 0 && !stop->flag; waited -= kGlance)
      std::this_thread::sleep_for(kGlance);
    if (stop->flag) return;
    const auto figures = tools_.devices->of(device);
    if (!*figures) return;
    query->hasAsyncCopies = (*figures)->major >= 8;
    query->device = **figures;
    query->written = [&](const document::KernelText& kernel) { return predictedTime(kernel, **figures); };
    if (deep) {
      query->compiled = [&](const document::KernelText& kernel) {
        return models_.compiledTime(kernel, device, architecture);
      };
    }
    exec::Options how;
    how.budget = kTrialBudget;
    how.stop = stop->source.get_token();
    const auto& original = query->history.node(0).state.module().functions;
    how.numbers = document::choicesOf(query->history.sizes(), *original.front()).front().numbers;
    auto checker = exec::Checker::create(original.front(), how);
    query->isRight = [&](const schedule::State& state) {
      if (!checker) return false;
      const auto report = checker->check(state.module().functions.front());
      return report && report->foundNothing() && !report->inOrder;
    };
    query->tell = [&](const Proposals& made) {
      finishHere([this, from, made = std::make_shared<const Proposals>(made)] {
        if (search_.from == from) search_.made = made;
      });
    };
    query->progress = [&](int done, int of) {
      stop->done = done;
      stop->of = of;
    };
    const Proposals made = searchProposals(*query, environment, stop->flag);
    if (made.steps == 0) query->tell(made);
  });
  return nullptr;
}

void ProposalSearch::setEnabled(bool enabled) {
  if (enabled_ == enabled) return;
  enabled_ = enabled;
  searchedAnyway_.reset();
  if (!enabled) end();
}

void ProposalSearch::searchHere() { searchedAnyway_ = programs_.of(navigation_.current()); }

bool ProposalSearch::isLeftOut() {
  if (enabled_ || !device_.status().known || comparison_.isOtherSide()) return false;
  const auto now = programs_.of(navigation_.current());
  return now && !now->kernel.problem && searchedAnyway_ != now && !proposals();
}

bool ProposalSearch::isRunning() const {
  return !comparison_.isOtherSide() && search_.stop && !search_.stop->flag && !search_.ended;
}

std::pair<int, int> ProposalSearch::progress() const {
  const auto& stop = search_.stop;
  return stop && !stop->flag && !comparison_.isOtherSide() ? std::pair(stop->done.load(), stop->of.load())
                                                           : std::pair(0, 0);
}

}  // namespace loom::session
