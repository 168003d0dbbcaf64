// What changes the tree or its marks leaves a trace, by which it is taken back and done again.
#include <algorithm>
#include <iterator>

#include "app/session/parts.h"

namespace loom::workbench {

using Kind = Action::Kind;

void Workbench::Parts::did(Action action) {
  if (action.kind != Kind::kGo) {
    const document::Node& of = (action.newer ? *action.newer : target->history).node(action.node);
    action.number = of.number;
    if (of.step() != nullptr) action.line = of.step()->source;
  }
  undo.push_back(std::move(action));
  redo.clear();
}

void Workbench::Parts::go(int node, bool joins) {
  document::History& history = target->history;
  const int from = history.current();
  // A link, a chapter or a comparison may lead to what was deleted.
  if (history.isHidden(node)) {
    const std::vector<int> removed = history.removed();
    history.reveal(node);
    did({.kind = Kind::kGo, .before = from, .after = node});
    undo.back().noteRemoved(removed, history.removed());
    changed();
    show(node);
    return;
  }
  const bool step = history.node(node).parent == from || history.node(from).parent == node;
  const bool goesOn = joins && step && redo.empty() && !undo.empty() && undo.back().walk && undo.back().after == from;
  if (!goesOn) {
    did({.kind = Kind::kGo, .before = from, .after = node, .walk = joins && step});
  } else if (undo.back().before == node) {
    undo.pop_back();  // back where the walk began
  } else {
    undo.back().after = node;
  }
  show(node);
}

StateLabels Workbench::Parts::marksOf(int node) const {
  const document::Node& of = target->history.node(node);
  return {of.name, of.note, of.pinned};
}

void Workbench::Parts::setMarks(int node, const StateLabels& marks) {
  target->history.rename(node, marks.name);
  target->history.annotate(node, marks.note);
  target->history.pin(node, marks.pinned);
}

void Workbench::Parts::mark(int node, const StateLabels& marks) {
  const StateLabels old = marksOf(node);
  if (marks == old) return;
  // Which of the texts is being written; 0: none of them.
  auto writes = [](const StateLabels& from, const StateLabels& to) {
    return from.name != to.name ? 1 : from.note != to.note ? 2 : 0;
  };
  const bool goesOn = redo.empty() && !undo.empty() && undo.back().kind == Kind::kMark && undo.back().node == node &&
                      writes(old, marks) != 0 &&
                      writes(undo.back().marksBefore, undo.back().marksAfter) == writes(old, marks);
  const int at = target->history.current();
  if (!goesOn) {
    did({.kind = Kind::kMark, .before = at, .after = at, .node = node, .marksBefore = old, .marksAfter = marks});
  } else if (undo.back().marksBefore == marks) {
    undo.pop_back();
  } else {
    undo.back().marksAfter = marks;
  }
  setMarks(node, marks);
  changed();
}

namespace {

// Moves the last action of `from` to `to`; none when there is none.
std::optional<Action> pass(std::vector<Action>& from, std::vector<Action>& to) {
  if (from.empty()) return std::nullopt;
  to.push_back(from.back());
  from.pop_back();
  return to.back();
}

// `leadsTo`: of the states of a walk.
std::optional<Change> lastOf(const std::vector<Action>& actions, int Action::*leadsTo,
                             const document::History& history) {
  if (actions.empty()) return std::nullopt;
  const Action& last = actions.back();
  if (last.kind == Kind::kGo) return Change{last.kind, history.node(last.*leadsTo).number, "", 0};
  return Change{last.kind, last.number, last.line, last.states};
}

}  // namespace

std::optional<Change> Workbench::undoable() const { return lastOf(parts_->undo, &Action::before, history()); }
std::optional<Change> Workbench::redoable() const { return lastOf(parts_->redo, &Action::after, history()); }

void Workbench::Parts::dropRefusals(const std::vector<Problem>& of) {
  for (const Problem& gone : of) {
    const auto at = std::find_if(refusals.rbegin(), refusals.rend(), [&](const Problem& p) {
      return p.node == gone.node && p.line == gone.line && p.error.message == gone.error.message;
    });
    if (at != refusals.rend()) refusals.erase(std::next(at).base());
  }
}

void Workbench::undo() {
  Parts& p = *parts_;
  auto action = pass(p.undo, p.redo);
  if (!action) return;
  if (action->removed) p.target->history.setRemoved(action->removed->first);
  if (action->kind == Kind::kEdit) {
    p.replaceHistory(*action->older);
    p.dropRefusals(action->broke);
  }
  if (action->kind == Kind::kMark) p.setMarks(action->node, action->marksBefore);
  if (action->changesTree()) p.changed();
  p.show(action->before);
}

void Workbench::redo() {
  Parts& p = *parts_;
  auto action = pass(p.redo, p.undo);
  if (!action) return;
  if (action->removed) p.target->history.setRemoved(action->removed->second);
  if (action->kind == Kind::kEdit) {
    p.replaceHistory(*action->newer);
    p.refusals.insert(p.refusals.end(), action->broke.begin(), action->broke.end());
  }
  if (action->kind == Kind::kMark) p.setMarks(action->node, action->marksAfter);
  if (action->changesTree()) p.changed();
  p.show(action->after);
}

void Workbench::rename(int node, std::string name) {
  StateLabels marks = parts_->marksOf(node);
  marks.name = std::move(name);
  parts_->mark(node, marks);
}

void Workbench::annotate(int node, std::string note) {
  StateLabels marks = parts_->marksOf(node);
  marks.note = std::move(note);
  parts_->mark(node, marks);
}

void Workbench::pin(int node, bool pinned) {
  StateLabels marks = parts_->marksOf(node);
  marks.pinned = pinned;
  parts_->mark(node, marks);
}

void Workbench::remove(int node) {
  Parts& p = *parts_;
  if (node <= 0) return;
  document::History& history = p.target->history;
  const int before = current(), states = int(history.statesFrom(node).size());
  const std::vector<int> removed = history.removed();
  history.remove(node);
  p.did({.kind = Kind::kRemove, .before = before, .after = current(), .node = node, .states = states});
  p.undo.back().noteRemoved(removed, history.removed());
  p.changed();
  p.show(current());
}

}  // namespace loom::workbench
