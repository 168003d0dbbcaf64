#include "app/session/navigation.h"

#include <algorithm>

#include "core/document/branches.h"

namespace loom::session {

namespace {
constexpr double kPlaySeconds = 1.6;
}

void Navigation::select(int node) {
  if (node == current() || node < 0 || node >= int(history().nodes().size()) || history().isBroken(node)) return;
  if (node == history().current()) return;  // seen from the other side
  leaveOtherSide();
  go(node, true);
}

bool Navigation::stepBack() {
  const int parent = node().parent;
  if (parent < 0) return false;
  select(parent);
  return true;
}

int Navigation::childAhead(int node) const {
  const document::History& history = documents_.history();
  if (auto last = lastChild_.find(node); last != lastChild_.end() && !history.node(last->second).deleted) {
    return last->second;
  }
  return history.firstChild(node);
}

bool Navigation::stepForward() {
  const int next = childAhead(current());
  if (next < 0) return false;
  select(next);
  return true;
}

const std::vector<int>& Navigation::path() const {
  const bool isOther = comparison_.isOtherSide();
  std::vector<int>& path = isOther ? otherPath_ : path_;
  if (path.empty() || isOther) {
    path = history().path(current());
    for (int next = childAhead(current()); next >= 0; next = childAhead(next)) path.push_back(next);
  }
  return path;
}

void Navigation::dragTo(int node, bool begins) {
  if (node == current() || node < 0 || node >= int(history().nodes().size())) return;
  const bool goesOn =
      !begins && dragEntry_ > 0 && dragEntry_ == log_.undo.size() && log_.undo.back().after == current();
  if (!goesOn) {
    go(node, false);
    dragEntry_ = log_.undo.size();
    return;
  }
  log_.undo.back().after = node;
  if (log_.undo.back().before == node) {  // back where the drag began
    log_.undo.pop_back();
    dragEntry_ = 0;
  }
  show(node);
}

int Navigation::chapter() const {
  const document::Target& t = *documents_.target();
  if (!t.lesson) return -1;
  const auto& ends = t.chapterNodes;
  const int chosen = chosenChapter_;
  if (chosen >= 0 && chosen < int(ends.size()) && ends[std::size_t(chosen)] == current()) return chosen;
  std::vector<int>& chapters = chapters_;
  if (chapters.empty()) {
    chapters.assign(history().nodes().size(), -1);
    for (std::size_t c = 0; c < ends.size(); ++c) {
      for (int at = ends[c]; at >= 0 && chapters[std::size_t(at)] < 0; at = history().node(at).parent) {
        chapters[std::size_t(at)] = int(c);
      }
    }
  }
  for (int at = current(); at >= 0; at = history().node(at).parent) {
    if (std::size_t(at) >= chapters.size() || chapters[std::size_t(at)] < 0) continue;
    // A configuration is a branch that begins before the chapter's end: it is tried out beside the chapter's text.
    const bool tries = at != current() && chosen >= 0 && chosen < int(ends.size()) &&
                       t.lesson->chapters[std::size_t(chosen)].configurations &&
                       document::leadsTo(history(), at, ends[std::size_t(chosen)]);
    return tries ? chosen : chapters[std::size_t(at)];
  }
  return -1;
}

bool Navigation::isOnLessonsWay() const {
  const document::History& history = documents_.history();
  const auto& ends = documents_.target()->chapterNodes;
  return std::any_of(ends.begin(), ends.end(),
                     [&](int end) { return document::leadsTo(history, history.current(), end); });
}

void Navigation::goToChapter(int chapter) {
  const document::Target& t = *documents_.target();
  if (chapter < 0 || chapter >= int(t.chapterNodes.size())) return;
  if (history().isBroken(t.chapterNodes[std::size_t(chapter)])) return;
  chosenChapter_ = chapter;
  select(t.chapterNodes[std::size_t(chapter)]);
  jobs_.touch();
}

int Navigation::chapterBefore() const {
  const document::Target& t = *documents_.target();
  for (int before = chapter() - 1; before >= 0; --before)
    if (!history().isBroken(t.chapterNodes[std::size_t(before)])) return before;
  return -1;
}

bool Navigation::previousChapter() {
  const int before = chapterBefore();
  if (before < 0) return false;
  goToChapter(before);
  return true;
}

int Navigation::chapterAfter() const {
  const document::Target& t = *documents_.target();
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

bool Navigation::nextChapter() {
  const int next = chapterAfter();
  if (next < 0) return false;
  goToChapter(next);
  return true;
}

void Navigation::setPlaying(bool playing) {
  playing_ = playing;
  played_ = 0;
}

bool Navigation::advance(double seconds) {
  if (!playing_ || documents_.target() == nullptr) return false;
  played_ += std::min(seconds, kPlaySeconds);
  if (played_ < kPlaySeconds) return false;
  played_ = 0;
  if (!stepForward()) playing_ = false;
  return true;
}

void Navigation::exchangeCompared() {
  if (comparison_.node() < 0) return;
  const bool isOther = comparison_.isOtherSide();
  const int now = history().current(), then = isOther ? comparison_.current() : comparison_.node();
  comparison_.leaveOtherSide();
  if (now == then) return;
  select(then);
  comparison_.with(now);
}

void Navigation::leaveOtherSide() {
  if (comparison_.isOtherSide()) exchangeCompared();
}

void Navigation::show(int node) {
  ++shows_;
  document::History& history = documents_.openTarget().history;
  history.select(node);
  path_.clear();
  const std::vector<int> path = history.path(node);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) lastChild_[path[i]] = path[i + 1];
  programs_.of(node);
  compilations_.want(node);
  jobs_.touch();
}

void Navigation::go(int node, bool joins) {
  document::History& history = documents_.openTarget().history;
  const int from = history.current();
  // A link, a chapter or a comparison may lead to what was deleted.
  if (history.isHidden(node)) {
    const std::vector<int> removed = history.removed();
    history.reveal(node);
    log_.push({.kind = UndoEntry::Kind::kGo, .before = from, .after = node}, history);
    log_.undo.back().noteRemoved(removed, history.removed());
    noteChange();
    show(node);
    return;
  }
  const bool step = history.node(node).parent == from || history.node(from).parent == node;
  const bool goesOn = joins && step && log_.redo.empty() && !log_.undo.empty() && log_.undo.back().walk &&
                      log_.undo.back().after == from;
  if (!goesOn) {
    log_.push({.kind = UndoEntry::Kind::kGo, .before = from, .after = node, .walk = joins && step}, history);
  } else if (log_.undo.back().before == node) {
    log_.undo.pop_back();  // back where the walk began
  } else {
    log_.undo.back().after = node;
  }
  show(node);
}

void Navigation::noteChange() {
  path_.clear();
  documents_.noteChange();
  jobs_.touch();
}

void Navigation::reset() {
  lastChild_.clear();
  log_.clear();
  playing_ = false;
  chosenChapter_ = -1;
  chapters_.clear();
}

}  // namespace loom::session
