#include "app/session/replay.h"

#include <algorithm>
#include <set>

#include "app/session/parts.h"
#include "app/session/predicted_time.h"
#include "core/document/same_number.h"
#include "core/document/speed_up.h"

namespace loom::workbench {

Replay replayOf(const document::History& history, int node, const std::string& line,
                const schedule::Environment& environment) {
  Replay replay;
  replay.node = node;
  replay.line = line;
  replay.ready = true;
  auto edited = history.edit(node, line, environment);
  if (!edited) {
    replay.refusal = edited.error();
    return replay;
  }
  const std::vector<bool> before = history.hidden(), after = edited->history.hidden();
  for (const auto& broken : edited->broken) {
    if (!before[std::size_t(broken.node)]) replay.broken.push_back({broken.node, 0, broken.error});
  }
  for (int i = node; i < int(history.nodes().size()); ++i) {
    if (before[std::size_t(i)]) continue;
    if (!after[std::size_t(i)]) {
      const bool same = history.node(i).script->text == edited->history.node(i).script->text;
      if (!same) replay.changed.push_back(i);
      continue;
    }
    for (Replay::Broken& broken : replay.broken) {
      if (broken.node != i && document::leadsTo(history, broken.node, i)) ++broken.gone;
    }
  }
  replay.history = std::make_shared<document::History>(std::move(edited->history));
  return replay;
}

std::vector<double> measuredTimes(const Workbench& bench) {
  std::vector<std::optional<document::TimeOn>> all;
  for (int i = 0; i < int(bench.history().nodes().size()); ++i) {
    const document::KnownTime* timed = bench.timed(i);
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

void Workbench::replay(int node, const std::string& line) {
  Parts& p = *parts_;
  if (!p.target || (p.replay && p.replay->node == node && p.replay->line == line)) return;
  const std::uint64_t order = ++p.replayOrder;
  p.replay.emplace();
  p.replay->node = node;
  p.replay->line = line;
  ++p.revision;
  // On the way of the state on show, if the step is on it: that state and the end; else the step's own and where it
  // leads.
  const bool onWay = std::find(way().begin(), way().end(), node) != way().end();
  std::vector<int> places{onWay && document::leadsTo(history(), node, current()) ? current() : node};
  int end = places.front();
  for (int next = p.childAhead(end); next >= 0; next = p.childAhead(next)) end = next;
  if (end != places.front()) places.push_back(end);
  p.deriving->submitFirst([parts = &p, order, tag = p.opened, node, line, places, environment = p.environment,
                           before = std::make_shared<const document::History>(history())] {
    if (parts->replayOrder != order) return;
    auto made = std::make_shared<Replay>(replayOf(*before, node, line, environment));
    parts->finishFor(tag, [parts, order, made, before, places] {
      if (parts->replayOrder != order || !parts->replay) return;
      parts->replay = *made;
      if (made->history) parts->predictReplay(order, before, places);
    });
  });
}

// As written at first: that is there while keys are pressed.
void Workbench::Parts::predictReplay(std::uint64_t order, std::shared_ptr<const document::History> before,
                                     const std::vector<int>& places) {
  const std::shared_ptr<const document::History> after = replay->history;
  std::set<int> stay;
  for (int at : places) stay.insert(after->isHidden(at) ? replay->node : at);
  for (int at : stay) {
    modelling->submitFirst(
        [this, order, at, before, after, device = modelledDevice(device), finishHere = finishForDevice()] {
          const auto figures = described->of(device);
          if (replayOrder != order || !*figures) return;
          const auto was = document::makeKernel(before->node(at).state, {}, 0, before->sizes());
          const auto is = document::makeKernel(after->node(at).state, {}, 0, after->sizes());
          const auto old = predictedTime(was, **figures);
          const auto now = old ? predictedTime(is, **figures) : std::nullopt;
          if (!now) return;
          finishHere([this, order, was, is, effect = Replay::Effect{at, {device, *old, *now, ModelBasis::kSource}}] {
            if (replayOrder != order || !replay) return;
            replay->effects.push_back(effect);
            std::sort(replay->effects.begin(), replay->effects.end(),
                      [](const auto& a, const auto& b) { return a.node < b.node; });
            compileReplay(order, effect.node, was, is, effect.effect.device);
          });
        });
  }
  deriving->submitFirst([this, order, before, after, changed = replay->changed, tag = opened] {
    std::vector<Replay::NoKernel> lost;
    for (int node : changed) {
      if (replayOrder != order) return;
      const auto now = document::makeKernel(after->node(node).state, {}, 0, after->sizes());
      if (now.problem && !document::makeKernel(before->node(node).state, {}, 0, before->sizes()).problem)
        lost.push_back({node, *now.problem});
    }
    finishFor(tag, [this, order, lost] {
      if (replayOrder == order && replay) replay->noKernels = lost;
    });
  });
}

void Workbench::Parts::compileReplay(std::uint64_t order, int node, document::KernelText before,
                                     document::KernelText after, const std::string& deviceName) {
  const auto isOne = [](const document::KernelText& text) { return text.program && text.program->kernels.size() == 1; };
  if (noCompiler || !device.known || !isOne(before) || !isOne(after)) return;
  const auto ended = [this, order, node](const std::optional<PredictedEffect>& effect) {
    if (replayOrder != order || !replay) return;
    for (Replay::Effect& known : replay->effects) {
      if (known.node != node) continue;
      known.compiles = false;
      if (effect) known.effect = *effect;
    }
  };
  for (Replay::Effect& known : replay->effects) known.compiles |= known.node == node;
  compilingQueue->submitFirst([=, this, here = architecture(), finishHere = finishForDevice()] {
    if (replayOrder != order) return;
    const auto old = compiler->compile(before.source.text, compiledFor(here));
    if (replayOrder != order) return;
    const auto now = old ? compiler->compile(after.source.text, compiledFor(here)) : old;
    if (!now) {
      finishHere([ended] { ended({}); });
      return;
    }
    modelling->submitFirst([=, this, old = *old, now = *now] {
      if (replayOrder != order) return;
      const auto figures = described->of(deviceName);
      const auto was = compiledEstimate(*figures, before, old), is = compiledEstimate(*figures, after, now);
      std::optional<PredictedEffect> effect;
      if (was && is) effect = PredictedEffect{deviceName, *was, *is, ModelBasis::kMachineCode};
      finishHere([ended, effect] { ended(effect); });
    });
  });
}

const Replay* Workbench::replay() const { return parts_->replay ? &*parts_->replay : nullptr; }

bool Workbench::applyReplay() {
  Parts& p = *parts_;
  if (!p.replay || !p.replay->history) return false;
  const Replay made = std::move(*p.replay);
  endReplay();
  // At the state where the step was taken: one can go there, and the step's own is gone.
  std::vector<Problem> broke;
  for (const Replay::Broken& broken : made.broken) {
    const document::Node& node = history().node(broken.node);
    broke.push_back({Problem::Kind::kRefused, node.parent, broken.error, node.step() ? node.step()->source : ""});
  }
  p.refusals.insert(p.refusals.end(), broke.begin(), broke.end());
  p.did({.kind = Action::Kind::kEdit,
         .before = current(),
         .after = made.node,
         .node = made.node,
         .older = std::make_shared<document::History>(history()),
         .newer = made.history,
         .broke = std::move(broke)});
  p.replaceHistory(*made.history);
  p.show(made.node);
  p.changed();
  return true;
}

bool Workbench::branchReplay() {
  Parts& p = *parts_;
  if (!p.replay || !p.replay->history) return false;
  const int first = p.replay->node;
  std::string lines;
  auto add = [&](const document::Line& line) { lines += line.source + "\n"; };
  const document::Node& edited = history().node(first);
  for (std::size_t i = 0; i + 1 < edited.lines.size(); ++i) add(edited.lines[i]);
  lines += p.replay->line + "\n";
  std::for_each(edited.trailing.begin(), edited.trailing.end(), add);
  for (int at = p.childAhead(first); at >= 0; at = p.childAhead(at)) {
    const document::Node& next = history().node(at);
    std::for_each(next.lines.begin(), next.lines.end(), add);
    std::for_each(next.trailing.begin(), next.trailing.end(), add);
  }
  const bool below = document::leadsTo(history(), first, current());
  endReplay();
  p.applyAt(edited.parent, lines, below ? history().node(current()).number : edited.number);
  return true;
}

void Workbench::endReplay() {
  Parts& p = *parts_;
  if (!p.replay) return;
  ++p.replayOrder;
  p.replay.reset();
  ++p.revision;
}

}  // namespace loom::workbench
