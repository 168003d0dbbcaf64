#include "app/session/edits.h"

#include <algorithm>
#include <utility>

#include "core/document/apply_script.h"
#include "core/document/branches.h"

namespace loom::session {

using Kind = UndoEntry::Kind;

ApplyOutcome Edits::apply(const std::string& lines, const document::FoldTitles& titles) {
  navigation_.leaveOtherSide();
  return applyAt(navigation_.current(), lines, titles);
}

ApplyOutcome Edits::apply(const Proposal& proposal) {
  const Proposal chosen = proposal;  // it belongs to the state that may be left now
  navigation_.leaveOtherSide();
  preview_.end();
  // In place of an edited step stands another: a branch, at whose end the counterpart of the current state is.
  if (chosen.step.edited < 0) return apply(chosen.step.lines, chosen.titles);
  return applyAt(chosen.step.at, chosen.step.lines, chosen.titles);
}

ApplyOutcome Edits::applyPreview() {
  if (preview_.step() == nullptr) return {navigation_.current(), 0, std::nullopt};
  const PreviewedStep chosen = *preview_.step();
  preview_.end();
  return chosen.at == navigation_.current() ? apply(chosen.lines) : applyAt(chosen.at, chosen.lines, {});
}

ApplyOutcome Edits::applyAt(int at, const std::string& lines, const document::FoldTitles& titles,
                            std::optional<int> number) {
  document::Target& target = documents_.openTarget();
  document::History& history = target.history;
  const int before = history.current();
  const std::vector<int> removed = history.removed();
  std::vector<Message> remarks;
  const auto applied = document::applyScript(history, at, lines, "", documents_.environment(), remarks);
  for (Message& remark : remarks) {
    auto& told = target.remarks;
    if (std::find(told.begin(), told.end(), remark) == told.end()) told.push_back(std::move(remark));
  }
  if (!applied) {
    problems_.add({Problem::Kind::kUnreadable, at, applied.error(), lines});
    navigation_.show(before);
    return {before, 0, applied.error()};
  }
  if (applied->refusal) {
    const std::string line = applied->refusal->place.text.empty() ? lines : applied->refusal->place.text;
    problems_.add({Problem::Kind::kRefused, applied->node, *applied->refusal, line});
  }
  history.foldSteps(at, applied->node, applied->made, titles);
  const std::vector<int> path = history.path(applied->node);
  const int shown = path[std::min(path.size() - 1, std::size_t(number.value_or(int(path.size()))))];
  if (shown != before) {
    const bool isOneStep = history.node(shown).parent == before;
    log_.push({.kind = UndoEntry::Kind::kApply,
               .before = before,
               .after = shown,
               .node = applied->node,
               .title = isOneStep ? Message() : titles.title},
              history);
    log_.undo.back().noteRemoved(removed, history.removed());
  }
  navigation_.noteChange();
  for (int state : path) programs_.want(state);
  navigation_.show(shown);
  return {applied->node, applied->made, applied->refusal};
}

bool Edits::applyStepEdit() {
  if (stepEdit_.report() == nullptr || !stepEdit_.report()->history) return false;
  const StepEditReport made = *stepEdit_.report();
  stepEdit_.end();
  const document::History& history = documents_.history();
  // At the state where the step was taken: one can go there, and the step's own is gone.
  std::vector<Problem> broke;
  for (const StepEditReport::RefusedStep& broken : made.broken) {
    const document::Node& node = history.node(broken.node);
    broke.push_back({Problem::Kind::kRefused, node.parent, broken.error, node.step() ? node.step()->source : ""});
  }
  for (const Problem& refusal : broke) problems_.add(refusal);
  log_.push({.kind = Kind::kEdit,
             .before = navigation_.current(),
             .after = made.node,
             .node = made.node,
             .older = std::make_shared<document::History>(history),
             .newer = made.history,
             .broke = std::move(broke)},
            history);
  restore(*made.history);
  navigation_.show(made.node);
  navigation_.noteChange();
  return true;
}

bool Edits::branchStepEdit() {
  if (stepEdit_.report() == nullptr || !stepEdit_.report()->history) return false;
  const document::History& history = documents_.history();
  const int first = stepEdit_.report()->node;
  std::string lines;
  auto add = [&](const document::Line& line) { lines += line.source + "\n"; };
  const document::Node& edited = history.node(first);
  for (std::size_t i = 0; i + 1 < edited.lines.size(); ++i) add(edited.lines[i]);
  lines += stepEdit_.report()->line + "\n";
  std::for_each(edited.trailing.begin(), edited.trailing.end(), add);
  for (int at = navigation_.childAhead(first); at >= 0; at = navigation_.childAhead(at)) {
    const document::Node& next = history.node(at);
    std::for_each(next.lines.begin(), next.lines.end(), add);
    std::for_each(next.trailing.begin(), next.trailing.end(), add);
  }
  const int current = navigation_.current();
  const bool below = document::leadsTo(history, first, current);
  stepEdit_.end();
  applyAt(edited.parent, lines, {}, below ? history.node(current).number : edited.number);
  return true;
}

StateLabels Edits::labelsOf(int node) const {
  const document::Node& of = documents_.history().node(node);
  return {of.name, of.note, of.pinned};
}

void Edits::setLabels(int node, const StateLabels& labels) {
  document::History& history = documents_.openTarget().history;
  history.rename(node, labels.name);
  history.annotate(node, labels.note);
  history.pin(node, labels.pinned);
}

void Edits::label(int node, const StateLabels& labels) {
  const StateLabels old = labelsOf(node);
  if (labels == old) return;
  // Which of the texts is being written; 0: none of them.
  auto writes = [](const StateLabels& from, const StateLabels& to) {
    return from.name != to.name ? 1 : from.note != to.note ? 2 : 0;
  };
  const bool goesOn = log_.redo.empty() && !log_.undo.empty() && log_.undo.back().kind == Kind::kMark &&
                      log_.undo.back().node == node && writes(old, labels) != 0 &&
                      writes(log_.undo.back().marksBefore, log_.undo.back().marksAfter) == writes(old, labels);
  const int at = documents_.history().current();
  if (!goesOn) {
    log_.push({.kind = Kind::kMark, .before = at, .after = at, .node = node, .marksBefore = old, .marksAfter = labels},
              documents_.history());
  } else if (log_.undo.back().marksBefore == labels) {
    log_.undo.pop_back();
  } else {
    log_.undo.back().marksAfter = labels;
  }
  setLabels(node, labels);
  navigation_.noteChange();
}

namespace {

// Moves the last entry of `from` to `to`; none when there is none.
std::optional<UndoEntry> pass(std::vector<UndoEntry>& from, std::vector<UndoEntry>& to) {
  if (from.empty()) return std::nullopt;
  to.push_back(from.back());
  from.pop_back();
  return to.back();
}

// `leadsTo`: of the states of a walk.
std::optional<UndoLabel> lastOf(const std::vector<UndoEntry>& entries, int UndoEntry::*leadsTo,
                                const document::History& history) {
  if (entries.empty()) return std::nullopt;
  const UndoEntry& last = entries.back();
  if (last.kind == Kind::kGo) return UndoLabel{last.kind, history.node(last.*leadsTo).number, "", 0};
  return UndoLabel{last.kind, last.number, last.line, last.states, last.title};
}

}  // namespace

std::optional<UndoLabel> Edits::undoable() const { return lastOf(log_.undo, &UndoEntry::before, documents_.history()); }
std::optional<UndoLabel> Edits::redoable() const { return lastOf(log_.redo, &UndoEntry::after, documents_.history()); }

void Edits::undo() {
  auto entry = pass(log_.undo, log_.redo);
  if (!entry) return;
  if (entry->removed) documents_.openTarget().history.setRemoved(entry->removed->first);
  if (entry->kind == Kind::kEdit) {
    restore(*entry->older);
    problems_.dropRefusals(entry->broke);
  }
  if (entry->kind == Kind::kMark) setLabels(entry->node, entry->marksBefore);
  if (entry->changesTree()) navigation_.noteChange();
  navigation_.show(entry->before);
}

void Edits::redo() {
  auto entry = pass(log_.redo, log_.undo);
  if (!entry) return;
  if (entry->removed) documents_.openTarget().history.setRemoved(entry->removed->second);
  if (entry->kind == Kind::kEdit) {
    restore(*entry->newer);
    for (const Problem& refusal : entry->broke) problems_.add(refusal);
  }
  if (entry->kind == Kind::kMark) setLabels(entry->node, entry->marksAfter);
  if (entry->changesTree()) navigation_.noteChange();
  navigation_.show(entry->after);
}

void Edits::rename(int node, std::string name) {
  StateLabels labels = labelsOf(node);
  labels.name = std::move(name);
  label(node, labels);
}

void Edits::annotate(int node, std::string note) {
  StateLabels labels = labelsOf(node);
  labels.note = std::move(note);
  label(node, labels);
}

void Edits::pin(int node, bool pinned) {
  StateLabels labels = labelsOf(node);
  labels.pinned = pinned;
  label(node, labels);
}

void Edits::remove(int node) {
  if (node <= 0) return;
  document::History& history = documents_.openTarget().history;
  const int before = navigation_.current(), states = int(history.statesFrom(node).size());
  const std::vector<int> removed = history.removed();
  history.remove(node);
  log_.push({.kind = Kind::kRemove, .before = before, .after = navigation_.current(), .node = node, .states = states},
            history);
  log_.undo.back().noteRemoved(removed, history.removed());
  navigation_.noteChange();
  navigation_.show(navigation_.current());
}

std::vector<document::SizeChoice> Edits::sizeChoices() const {
  if (documents_.target() == nullptr) return {document::SizeChoice{}};
  const document::History& history = documents_.history();
  return document::choicesOf(history.sizes(), *history.node(0).state.module().functions.front());
}

Result<void> Edits::nameSizes(const std::string& text) {
  if (documents_.target() == nullptr) return {};
  auto sizes = document::Sizes::read(text);
  if (!sizes) return Failure(sizes.error());
  const schedule::State& start = documents_.history().node(0).state;
  if (auto fine = sizes->check(*start.module().functions.front()); !fine) return fine;
  if (*sizes == documents_.history().sizes()) return {};
  document::History history = documents_.history();
  history.setSizes(std::move(*sizes));
  replaceHistory(history);
  results_.recognize();
  documents_.markModified();
  navigation_.show(documents_.history().current());
  return {};
}

// An edit doesn't change the sizes, which may have been named since.
void Edits::restore(document::History history) {
  history.setSizes(documents_.history().sizes());
  replaceHistory(history);
}

void Edits::replaceHistory(const document::History& by) {
  documents_.openTarget().history = by;
  forget();
  programs_.wantAll();
}

void Edits::forget() {
  jobs_.forgetTarget();
  stepEdit_.follow();
  sweep_.reset();
  programs_.reset();
  results_.reset();
  checks_.reset();
  compilations_.reset();
  models_.reset();
  jobs_[Queue::kModels].drop();
  proposals_.reset();
  stalls_.reset();
}

}  // namespace loom::session
