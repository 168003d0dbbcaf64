#include "app/session/checks.h"

#include "core/document/checked_sizes.h"

namespace loom::session {

namespace {
constexpr double kCheckBudget = 2;  // seconds a state may take of a core that others leave free
}

const Result<exec::Report>* Checks::of(int node) const {
  const auto found = checked_.find(node);
  return found == checked_.end() ? nullptr : found->second.report.get();
}

bool Checks::hasFailed(int node) const {
  const auto found = checked_.find(node);
  return found != checked_.end() && found->second.isWrong();
}

bool Checks::isWrong(int node) const {
  const document::KnownTime* known = results_.timed(node);
  if (known != nullptr && known->result) return known->result->outcome.status == gpu::Outcome::Status::Wrong;
  return hasFailed(node);
}

std::vector<int> Checks::failed() const {
  std::vector<int> nodes;
  for (const auto& [node, one] : checked_)
    if (one.isWrong()) nodes.push_back(node);
  return nodes;
}

bool Checks::Checked::isWrong() const {
  using Status = exec::Report::Status;
  return report && *report && ((*report)->status == Status::Wrong || (*report)->status == Status::Faults);
}

// What has been measured, here or where its result was recorded, has been compared there, and what leads to a lesson's
// chapters by its tests.
void Checks::checkCurrent(const std::function<bool()>& isOnLessonsWay) {
  if (!options_.check || documents_.target() == nullptr || !device_.status().known) return;
  const document::History& history = documents_.history();
  const int node = history.current();
  const auto program = programs_.known(node);
  const document::KnownTime* looked = results_.timed(node);
  if (!program || !looked || looked->result) return;
  if (!program->kernel.program && isOnLessonsWay()) return;
  Checked& slot = checked_[node];
  const bool resumes = slot.from == program && slot.isPart() && !slot.underWay;
  if (slot.from == program && !resumes) return;
  slot = {program, resumes ? slot.report : nullptr, true};
  // Only the latest is waited for: one steps on faster than states are executed.
  stop_.request_stop();
  stop_ = {};
  jobs_[Queue::kChecks].drop();
  std::erase_if(checked_, [&](const auto& one) { return one.first != node && one.second.report == nullptr; });
  for (auto& [other, one] : checked_) one.underWay = other == node;
  jobs_[Queue::kChecks].submit([this, node, resumes, target = jobs_.target(), program, stop = stop_.get_token(),
                                original = history.node(0).state.module().functions.front(),
                                function = history.node(node).state.module().functions.front(),
                                sizes = history.sizes()] {
    exec::Options how;
    how.budget = kCheckBudget;
    how.stop = stop;
    auto run = [&] {
      return std::make_shared<const Result<exec::Report>>(
          document::checkAtAll(original, function, how, document::choicesOf(sizes, *original)));
    };
    auto give = [&](std::shared_ptr<const Result<exec::Report>> made, bool last) {
      jobs_.finishFor(target, [this, node, program, made, last] {
        const auto found = checked_.find(node);
        if (found == checked_.end() || found->second.from != program) return;
        Checked& slot = found->second;
        if (last) slot.underWay = false;
        const bool given = *made || (*made).error().code != "Cancelled";
        if (given) {
          slot.report = made;
        } else if (!slot.report) {
          checked_.erase(found);  // asked again when the user comes back
        }
      });
    };
    bool part = resumes;
    if (!resumes) {
      const auto made = run();
      part = *made && (*made)->status == exec::Report::Status::Partly;
      give(made, !part);
    }
    // What the budget left out is looked at for as long as the state is the current one.
    if (part) {
      how.sample = false;
      give(run(), true);
    }
  });
}

void Checks::cancel() {
  stop_.request_stop();
  stop_ = {};
  jobs_[Queue::kChecks].drop();
  std::erase_if(checked_, [](const auto& one) { return one.second.report == nullptr; });
  for (auto& [node, one] : checked_) one.underWay = false;
}

void Checks::reset() {
  cancel();
  checked_.clear();
}

}  // namespace loom::session
