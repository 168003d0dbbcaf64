#include "app/session/parts.h"

namespace loom::workbench {

void Workbench::Parts::markCompared() {
  if (!compared || !target) return;
  const document::History& history = target->history;
  // What was removed, or is no longer there after an edit of the past, can't be told against.
  if (compared->node >= int(history.nodes().size()) || history.isHidden(compared->node)) {
    compared.reset();
    ++revision;
    return;
  }
  derive(compared->node);
  auto now = programs.find(history.current()), other = programs.find(compared->node);
  if (now == programs.end() || other == programs.end()) return;
  if (compared->from == now->second && compared->against == other->second) return;
  compared->from = now->second;
  compared->against = other->second;
  compared->marked = compared->markedOther = nullptr;
  deriving->submitFirst([this, tag = opened, from = now->second, against = other->second] {
    auto made = markedAgainst(from, against, options.views);
    auto reverse = markedAgainst(against, from, options.views);
    finishFor(tag, [this, from, against, made, reverse] {
      if (!compared || compared->from != from || compared->against != against) return;
      compared->marked = made;
      compared->markedOther = reverse;
    });
  });
}

void Workbench::compareWith(int node) {
  Parts& p = *parts_;
  if (node < 0 || node >= int(history().nodes().size()) || (p.compared && p.compared->node == node)) return;
  p.compared = Parts::Compared{node, nullptr, nullptr, nullptr, nullptr};
  p.markCompared();
  ++p.revision;
}

void Workbench::endComparison() {
  if (!parts_->compared) return;
  parts_->compared.reset();
  ++parts_->revision;
}

int Workbench::comparedWith() const {
  if (parts_->otherSide) return history().current();
  return parts_->compared ? parts_->compared->node : -1;
}

int Workbench::reference() const { return parts_->compared ? comparedWith() : node().parent; }

void Workbench::exchangeCompared() {
  Parts& p = *parts_;
  if (!p.compared) return;
  const int now = history().current(), then = p.compared->node;
  p.otherSide = false;
  if (now == then) return;
  select(then);
  compareWith(now);
}

Workbench::OtherSide::OtherSide(Workbench& bench) : bench_(bench) {
  Parts& p = *bench.parts_;
  p.otherSide = p.target && p.compared && p.compared->node != p.target->history.current();
}

Workbench::OtherSide::~OtherSide() { bench_.parts_->otherSide = false; }

void Workbench::Parts::leaveOtherSide(Workbench& bench) {
  if (otherSide) bench.exchangeCompared();
}

}  // namespace loom::workbench
