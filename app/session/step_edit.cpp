#include "app/session/step_edit.h"

#include <algorithm>
#include <set>

#include "app/session/predicted_time.h"
#include "core/document/branches.h"
#include "core/document/time_rows.h"

namespace loom::session {

StepEditReport stepEditReport(const document::History& history, int node, const std::string& line,
                              const schedule::Environment& environment) {
  StepEditReport report;
  report.node = node;
  report.line = line;
  report.ready = true;
  auto edited = history.edit(node, line, environment);
  if (!edited) {
    report.refusal = edited.error();
    return report;
  }
  const std::vector<bool> before = history.hidden(), after = edited->history.hidden();
  for (const auto& broken : edited->broken) {
    if (!before[std::size_t(broken.node)]) report.broken.push_back({broken.node, 0, broken.error});
  }
  for (int i = node; i < int(history.nodes().size()); ++i) {
    if (before[std::size_t(i)]) continue;
    if (!after[std::size_t(i)]) {
      const bool same = history.node(i).script->text == edited->history.node(i).script->text;
      if (!same) report.changed.push_back(i);
      continue;
    }
    for (StepEditReport::RefusedStep& broken : report.broken) {
      if (broken.node != i && document::leadsTo(history, broken.node, i)) ++broken.gone;
    }
  }
  report.history = std::make_shared<document::History>(std::move(edited->history));
  return report;
}

std::vector<double> measuredTimes(const document::History& history, const Results& results) {
  std::vector<std::optional<document::TimeOn>> all;
  for (int i = 0; i < int(history.nodes().size()); ++i) {
    const document::KnownTime* timed = results.timed(i);
    all.push_back(timed != nullptr ? document::timeOn(*timed) : std::nullopt);
  }
  const std::string device = document::deviceOfMost(all);
  std::vector<double> times;
  for (const std::optional<document::TimeOn>& t : all) times.push_back(t && t->device == device ? t->microseconds : -1);
  return times;
}

std::vector<int> bestPath(const document::History& history, const std::vector<double>& microseconds) {
  const std::vector<bool> hidden = history.hidden();
  int best = -1;
  for (std::size_t i = 0; i < microseconds.size(); ++i) {
    if (microseconds[i] < 0 || hidden[i]) continue;
    if (best < 0 || microseconds[i] < microseconds[std::size_t(best)]) best = int(i);
  }
  return best < 0 ? std::vector<int>{} : history.path(best);
}

void StepEdit::show(int node, const std::string& line) {
  follow();
  if (documents_.target() == nullptr || (report_ && report_->node == node && report_->line == line)) return;
  const std::uint64_t order = ++order_;
  report_.emplace();
  report_->node = node;
  report_->line = line;
  changes_ = documents_.changes();
  target_ = jobs_.target();
  jobs_.touch();
  const document::History& history = documents_.history();
  const std::vector<int>& path = navigation_.path();
  // On the way of the state on show, if the step is on it: that state and the end; else the step's own and where it
  // leads.
  const bool onWay = std::find(path.begin(), path.end(), node) != path.end();
  std::vector<int> places{onWay && document::leadsTo(history, node, navigation_.current()) ? navigation_.current()
                                                                                           : node};
  int end = places.front();
  for (int next = navigation_.childAhead(end); next >= 0; next = navigation_.childAhead(next)) end = next;
  if (end != places.front()) places.push_back(end);
  jobs_[Queue::kPrograms].submitFirst([this, order, target = jobs_.target(), node, line, places,
                                       environment = documents_.environment(),
                                       before = std::make_shared<const document::History>(history)] {
    if (order_ != order) return;
    auto made = std::make_shared<StepEditReport>(stepEditReport(*before, node, line, environment));
    jobs_.finishFor(target, [this, order, made, before, places] {
      if (order_ != order || !report_) return;
      report_ = *made;
      if (made->history) predict(order, before, places);
    });
  });
}

// As written at first: that is there while keys are pressed.
void StepEdit::predict(std::uint64_t order, std::shared_ptr<const document::History> before,
                       const std::vector<int>& places) {
  const std::shared_ptr<const document::History> after = report_->history;
  std::set<int> stay;
  for (int at : places) stay.insert(after->isHidden(at) ? report_->node : at);
  for (int at : stay) {
    jobs_[Queue::kModels].submitFirst(
        [this, order, at, before, after, device = modelledDevice(device_.status()), finishHere = device_.finisher()] {
          const auto figures = tools_.devices->of(device);
          if (order_ != order || !*figures) return;
          const auto was = document::makeKernel(before->node(at).state, {}, 0, before->sizes());
          const auto is = document::makeKernel(after->node(at).state, {}, 0, after->sizes());
          const auto old = predictedTime(was, **figures);
          const auto now = old ? predictedTime(is, **figures) : std::nullopt;
          if (!now) return;
          finishHere(
              [this, order, was, is, effect = StepEditReport::Effect{at, {device, *old, *now, ModelBasis::kSource}}] {
                if (order_ != order || !report_) return;
                report_->effects.push_back(effect);
                std::sort(report_->effects.begin(), report_->effects.end(),
                          [](const auto& a, const auto& b) { return a.node < b.node; });
                compile(order, effect.node, was, is, effect.effect.device);
              });
        });
  }
  jobs_[Queue::kPrograms].submitFirst(
      [this, order, before, after, changed = report_->changed, target = jobs_.target()] {
        std::vector<StepEditReport::NoKernel> lost;
        for (int node : changed) {
          if (order_ != order) return;
          const auto now = document::makeKernel(after->node(node).state, {}, 0, after->sizes());
          if (now.problem && !document::makeKernel(before->node(node).state, {}, 0, before->sizes()).problem)
            lost.push_back({node, *now.problem});
        }
        jobs_.finishFor(target, [this, order, lost] {
          if (order_ == order && report_) report_->noKernels = lost;
        });
      });
}

void StepEdit::compile(std::uint64_t order, int node, document::KernelText before, document::KernelText after,
                       const std::string& deviceName) {
  const auto isOne = [](const document::KernelText& text) { return text.program && text.program->kernels.size() == 1; };
  if (compilations_.hasNoCompiler() || !device_.status().known || !isOne(before) || !isOne(after)) return;
  const auto ended = [this, order, node](const std::optional<PredictedEffect>& effect) {
    if (order_ != order || !report_) return;
    for (StepEditReport::Effect& known : report_->effects) {
      if (known.node != node) continue;
      known.compiles = false;
      if (effect) known.effect = *effect;
    }
  };
  for (StepEditReport::Effect& known : report_->effects) known.compiles |= known.node == node;
  jobs_[Queue::kCompilations].submitFirst([=, this, here = device_.architecture(), finishHere = device_.finisher()] {
    if (order_ != order) return;
    const auto old = tools_.compiler->compile(before.source, compilations_.architectureFor(here));
    if (order_ != order) return;
    const auto now = old ? tools_.compiler->compile(after.source, compilations_.architectureFor(here)) : old;
    if (!now) {
      finishHere([ended] { ended({}); });
      return;
    }
    jobs_[Queue::kModels].submitFirst([=, this, old = *old, now = *now] {
      if (order_ != order) return;
      const auto figures = tools_.devices->of(deviceName);
      const auto was = models_.compiledEstimate(*figures, before, old),
                 is = models_.compiledEstimate(*figures, after, now);
      std::optional<PredictedEffect> effect;
      if (was && is)
        effect = PredictedEffect{deviceName, was->microseconds, is->microseconds, ModelBasis::kMachineCode};
      finishHere([ended, effect] { ended(effect); });
    });
  });
}

const StepEditReport* StepEdit::report() const { return report_ && isCurrent() ? &*report_ : nullptr; }

void StepEdit::end() {
  if (!report_) return;
  ++order_;
  report_.reset();
  jobs_.touch();
}

void StepEdit::follow() {
  if (!report_ || isCurrent()) return;
  ++order_;
  report_.reset();
}

}  // namespace loom::session
