// Moving through the tree and adding to it.
#include <algorithm>

#include "app/session/parts.h"
#include "core/document/open_text.h"
#include "core/document/same_number.h"

namespace loom::workbench {

void Workbench::select(int node) {
  if (node == current() || node < 0 || node >= int(history().nodes().size()) || history().isBroken(node)) return;
  if (node == history().current()) return;  // seen from the other side
  parts_->leaveOtherSide(*this);
  parts_->go(node, true);
}

bool Workbench::stepBack() {
  const int parent = node().parent;
  if (parent < 0) return false;
  select(parent);
  return true;
}

int Workbench::Parts::childAhead(int node) const {
  const document::History& history = target->history;
  if (auto last = lastChild.find(node); last != lastChild.end() && !history.node(last->second).deleted) {
    return last->second;
  }
  return history.firstChild(node);
}

bool Workbench::stepForward() {
  const int next = parts_->childAhead(current());
  if (next < 0) return false;
  select(next);
  return true;
}

const std::vector<int>& Workbench::way() const {
  Parts& p = *parts_;
  std::vector<int>& way = p.otherSide ? p.otherWay : p.way;
  if (way.empty() || p.otherSide) {
    way = history().path(current());
    for (int next = p.childAhead(current()); next >= 0; next = p.childAhead(next)) way.push_back(next);
  }
  return way;
}

void Workbench::dragTo(int node, bool begins) {
  Parts& p = *parts_;
  if (node == current() || node < 0 || node >= int(history().nodes().size())) return;
  const bool goesOn =
      !begins && p.scrubAction > 0 && p.scrubAction == p.undo.size() && p.undo.back().after == current();
  if (!goesOn) {
    p.go(node, false);
    p.scrubAction = p.undo.size();
    return;
  }
  p.undo.back().after = node;
  if (p.undo.back().before == node) {  // back where the drag began
    p.undo.pop_back();
    p.scrubAction = 0;
  }
  p.show(node);
}

int Workbench::chapter() const {
  const document::Target& t = *parts_->target;
  if (!t.lesson) return -1;
  const auto& ends = t.chapterNodes;
  const int chosen = parts_->chosenChapter;
  if (chosen >= 0 && chosen < int(ends.size()) && ends[std::size_t(chosen)] == current()) return chosen;
  std::vector<int>& chapters = parts_->chapters;
  if (chapters.empty()) {
    chapters.assign(history().nodes().size(), -1);
    for (std::size_t c = 0; c < ends.size(); ++c) {
      for (int at = ends[c]; at >= 0 && chapters[std::size_t(at)] < 0; at = history().node(at).parent) {
        chapters[std::size_t(at)] = int(c);
      }
    }
  }
  for (int at = current(); at >= 0; at = history().node(at).parent) {
    if (std::size_t(at) < chapters.size() && chapters[std::size_t(at)] >= 0) return chapters[std::size_t(at)];
  }
  return -1;
}

bool Workbench::Parts::onLessonsWay() const {
  const document::History& history = target->history;
  const auto& ends = target->chapterNodes;
  return std::any_of(ends.begin(), ends.end(),
                     [&](int end) { return document::leadsTo(history, history.current(), end); });
}

bool Workbench::onLessonsWay() const { return parts_->onLessonsWay(); }

void Workbench::goToChapter(int chapter) {
  const document::Target& t = *parts_->target;
  if (chapter < 0 || chapter >= int(t.chapterNodes.size())) return;
  if (history().isBroken(t.chapterNodes[std::size_t(chapter)])) return;
  parts_->chosenChapter = chapter;
  select(t.chapterNodes[std::size_t(chapter)]);
  ++parts_->revision;
}

bool Workbench::previousChapter() {
  const int at = chapter();
  if (at <= 0) return false;
  goToChapter(at - 1);
  return true;
}

int Workbench::chapterAfter() const {
  const document::Target& t = *parts_->target;
  const int at = chapter();
  if (at < 0) return -1;
  // In the midst of a chapter, its end comes first; a branch of the user's own leads back to the lesson.
  const int end = t.chapterNodes[std::size_t(at)];
  const bool inside = current() != end && document::leadsTo(history(), current(), end);
  // An edit of the user's may have broken what led to a chapter's end.
  for (int next = inside ? at : at + 1; next < int(t.chapterNodes.size()); ++next)
    if (!history().isBroken(t.chapterNodes[std::size_t(next)])) return next;
  return -1;
}

bool Workbench::nextChapter() {
  const int next = chapterAfter();
  if (next < 0) return false;
  goToChapter(next);
  return true;
}

ApplyOutcome Workbench::apply(const std::string& lines) {
  parts_->leaveOtherSide(*this);
  return parts_->applyAt(current(), lines);
}

ApplyOutcome Workbench::Parts::applyAt(int at, const std::string& lines, std::optional<int> number) {
  document::History& history = target->history;
  const int before = history.current();
  const std::vector<int> removed = history.removed();
  std::vector<std::string> remarks;
  const auto applied = document::applyScript(history, at, lines, "", environment, remarks);
  for (std::string& remark : remarks) {
    auto& told = target->remarks;
    if (std::find(told.begin(), told.end(), remark) == told.end()) told.push_back(std::move(remark));
  }
  if (!applied) {
    refusals.push_back({Problem::Kind::kUnreadable, at, applied.error(), lines});
    show(before);
    return {before, 0, applied.error()};
  }
  if (applied->refusal) {
    const std::string line = applied->refusal->place.text.empty() ? lines : applied->refusal->place.text;
    refusals.push_back({Problem::Kind::kRefused, applied->node, *applied->refusal, line});
  }
  const std::vector<int> path = history.path(applied->node);
  const int shown = path[std::min(path.size() - 1, std::size_t(number.value_or(int(path.size()))))];
  if (shown != before) {
    did({.kind = Action::Kind::kApply, .before = before, .after = shown, .node = applied->node});
    undo.back().noteRemoved(removed, history.removed());
  }
  changed();
  for (int state : path) wantDerived(state);
  show(shown);
  return {applied->node, applied->made, applied->refusal};
}

}  // namespace loom::workbench
