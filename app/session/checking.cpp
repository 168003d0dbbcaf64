// The user's own states are executed on the CPU, beside the original program: without a GPU nothing else would find a
// step that is legal and wrong.
#include "app/session/parts.h"
#include "core/document/checked_sizes.h"

namespace loom::workbench {

namespace {
constexpr double kBudget = 2;  // seconds a state may take of a core that others leave free
}

// What has been measured, here or where its result was recorded, has been compared there, and what leads to a lesson's
// chapters by its tests.
void Workbench::Parts::checkCurrent() {
  if (!options.check || !target || !device.known) return;
  const int node = target->history.current();
  const auto d = programs.find(node);
  const auto looked = timed.find(node);
  if (d == programs.end() || looked == timed.end() || looked->second.result) return;
  if (!d->second->kernel.program && onLessonsWay()) return;
  Checked& slot = checked[node];
  const bool resumes = slot.from == d->second && slot.isPart() && !slot.underWay;
  if (slot.from == d->second && !resumes) return;
  slot = {d->second, resumes ? slot.report : nullptr, true};
  // Only the latest is waited for: one steps on faster than states are executed.
  checkStop.request_stop();
  checkStop = {};
  checking->drop();
  std::erase_if(checked, [&](const auto& one) { return one.first != node && one.second.report == nullptr; });
  for (auto& [other, one] : checked) one.underWay = other == node;
  checking->submit([this, node, resumes, tag = opened, from = d->second, stop = checkStop.get_token(),
                    original = target->history.node(0).state.module().functions.front(),
                    function = target->history.node(node).state.module().functions.front(),
                    sizes = target->history.sizes()] {
    exec::Options how;
    how.budget = kBudget;
    how.stop = stop;
    auto run = [&] {
      return std::make_shared<const Result<exec::Report>>(
          document::checkAtAll(original, function, how, document::choicesOf(sizes, *original)));
    };
    auto give = [&](std::shared_ptr<const Result<exec::Report>> made, bool last) {
      finishFor(tag, [this, node, from, made, last] {
        const auto found = checked.find(node);
        if (found == checked.end() || found->second.from != from) return;
        Checked& slot = found->second;
        if (last) slot.underWay = false;
        const bool given = *made || (*made).error().code != "Cancelled";
        if (given) {
          slot.report = made;
        } else if (!slot.report) {
          checked.erase(found);  // asked again when the user comes back
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

void Workbench::Parts::dropChecking() {
  checkStop.request_stop();
  checkStop = {};
  checking->drop();
  std::erase_if(checked, [](const auto& one) { return one.second.report == nullptr; });
  for (auto& [node, one] : checked) one.underWay = false;
}

const Result<exec::Report>* Workbench::checked(int node) const {
  const auto found = parts_->checked.find(node);
  return found == parts_->checked.end() ? nullptr : found->second.report.get();
}

bool Workbench::isWrong(int node) const {
  const document::KnownTime* known = timed(node);
  if (known != nullptr && known->result) return known->result->outcome.status == gpu::Outcome::Status::Wrong;
  const auto executed = parts_->checked.find(node);
  return executed != parts_->checked.end() && executed->second.isWrong();
}

bool Workbench::Parts::Checked::isWrong() const {
  using Status = exec::Report::Status;
  return report && *report && ((*report)->status == Status::Wrong || (*report)->status == Status::Faults);
}

}  // namespace loom::workbench
