#include "app/session/comparing.h"

#include <fmt/format.h>

#include <map>

#include "app/session/parts.h"

namespace loom::workbench {
namespace {

// A line for each row: all that makes it what it is, annotations included.
std::vector<std::string> linesOf(const Derived& derived) {
  std::map<ir::Id, std::string> notes;
  for (const script::Span& span : derived.code->spans) {
    const bool one = span.line0 == span.line1 && span.line0 < int(derived.script.size());
    if (span.what != script::Span::What::Annotation || !one) continue;
    notes[span.id] += " " + derived.script[std::size_t(span.line0)].substr(std::size_t(span.col0),
                                                                           std::size_t(span.col1 - span.col0));
  }
  std::vector<std::string> lines;
  for (const NestRow& row : derived.nest.rows) {
    const bool init = row.kind == NestRow::Kind::kInit;
    lines.push_back(fmt::format("{} {} {} {} {}{}", int(row.kind), row.name, row.extent, int(row.axis),
                                int(row.component), init ? "" : notes[row.id]));
  }
  return lines;
}

}  // namespace

Derived markedAgainst(const Derived& state, const Derived& other) {
  Derived made = state;
  made.scriptDiff = script::diffLines(other.script, state.script);
  made.parentHasKernel = !other.kernel.problem;
  made.cudaDiff = made.parentHasKernel ? script::diffLines(other.cuda, state.cuda) : script::LineDiff{};
  const script::LineDiff rows = script::diffLines(linesOf(other), linesOf(state));
  made.nest.removed.clear();
  for (std::size_t i = 0; i < made.nest.rows.size(); ++i) {
    const script::Mark mark = i < rows.marks.size() ? rows.marks[i] : script::Mark::kSame;
    made.nest.rows[i].change = mark == script::Mark::kAdded     ? NestChange::kNew
                               : mark == script::Mark::kChanged ? NestChange::kModified
                                                                : NestChange::kNone;
  }
  const std::vector<int>& before = rows.before;
  for (std::size_t i = 0; i < made.nest.rows.size() && i < before.size(); ++i) {
    if (before[i] < 0) continue;
    NestRow& now = made.nest.rows[i];
    const NestRow& was = other.nest.rows[std::size_t(before[i])];
    // What merely stands in its place is another thing.
    if (was.kind == now.kind && was.name == now.name)
      now.was = PreviousFigures{was.extent, was.runs, was.flops, was.bytes};
  }
  return made;
}

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
  auto now = derived.find(history.current()), other = derived.find(compared->node);
  if (now == derived.end() || other == derived.end()) return;
  if (compared->from == now->second && compared->against == other->second) return;
  compared->from = now->second;
  compared->against = other->second;
  compared->marked = compared->markedOther = nullptr;
  deriving->submitFirst([this, tag = opened, from = now->second, against = other->second] {
    auto made = std::make_shared<const Derived>(markedAgainst(*from, *against));
    auto reverse = std::make_shared<const Derived>(markedAgainst(*against, *from));
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
