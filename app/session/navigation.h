#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/session/comparison.h"
#include "app/session/compilations.h"
#include "app/session/undo_log.h"

namespace loom::session {

/// The current state and the movements in the history of the open target (lesson, document or function), which is the
/// tree of its states. A state is the program after some steps of its schedule, given by its index in the history. A
/// target must be open, except for `shows`, `isPlaying`, `setPlaying`, `advance` and `reset`.
class Navigation {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Navigation(Jobs& jobs, Documents& documents, Programs& programs, Compilations& compilations, Comparison& comparison,
             UndoLog& log)
      : jobs_(jobs),
        documents_(documents),
        programs_(programs),
        compilations_(compilations),
        comparison_(comparison),
        log_(log) {}

  /// Returns the history of the open target.
  const document::History& history() const { return documents_.history(); }
  /// Returns the current state, or while a Comparison::OtherSide is in effect the state compared with.
  int current() const { return comparison_.current(); }
  /// Returns the node of the history for `current`.
  const document::Node& node() const { return history().node(current()); }
  /// Returns a number that grows whenever a state is made the current one, even if it was so already.
  std::uint64_t shows() const { return shows_; }

  /// Makes a state the current one. Moves from neighbour to neighbour, one after another, are one undo entry. Nothing
  /// happens if there is no such state, or if the state is broken because an edit has made one of its steps
  /// inapplicable.
  void select(int node);
  /// Makes the parent of the current state current. Returns false if there is none.
  bool stepBack();
  /// Makes the state `childAhead` of the current one current. Returns false if there is none.
  bool stepForward();
  /// Returns the states from the start through the current one to the last that `stepForward` reaches, in order. The
  /// reference is to a list that the next call makes anew if the current state or the history has changed.
  const std::vector<int>& path() const;
  /// Returns the child of a state that was on the path taken last, or else its first child; −1 if there is none.
  /// Deleted children, among them broken ones, don't count.
  int childAhead(int node) const;
  /// Makes a state, which must not be broken, the current one during a drag along the path; nothing happens if there is
  /// no such state. `begins` says that a new drag begins. All calls of one drag are one undo entry.
  void dragTo(int node, bool begins);

  /// Returns the index of the lesson's chapter that the current state belongs to; off the lesson's path, the chapter of
  /// the nearest ancestor on it. Returns −1 without a lesson.
  int chapter() const;
  /// Returns whether the current state is on the path to the end of a chapter; false without a lesson.
  bool isOnLessonsWay() const;
  /// Makes the last state of a chapter current, as `select` does. Nothing happens if there is no such chapter or the
  /// state is broken.
  void goToChapter(int chapter);
  /// Returns the index of the nearest chapter before that of the current state whose end isn't broken; -1 if there is
  /// none.
  int chapterBefore() const;
  /// Calls `goToChapter` for the chapter `chapterBefore`. Returns false if there is none.
  bool previousChapter();
  /// Goes to the end of the chapter `chapterAfter`. Returns false if there is none.
  bool nextChapter();
  /// Returns the index of the chapter that `nextChapter` goes to: that of the current state if its end lies ahead, or
  /// else the next one whose end is not broken; −1 if there is none.
  int chapterAfter() const;

  /// Returns whether the steps are played: `advance` goes to the next state every 1.6 s.
  bool isPlaying() const { return playing_; }
  /// Starts or stops playing.
  void setPlaying(bool playing);
  /// Advances playing by `seconds`; to be called once a frame. Returns true if playing has gone to the next state, or
  /// has ended because there is none.
  bool advance(double seconds);

  /// Exchanges the current state and the state compared with. Nothing happens without a comparison.
  void exchangeCompared();
  /// Exchanges the current state and the state compared with if a Comparison::OtherSide is in effect, so that the
  /// user's action in the half of a panel applies to the state that this half shows.
  void leaveOtherSide();

  /// Makes `node`, which must exist and not be broken, current without an undo entry.
  void show(int node);
  /// Makes `node`, which must exist and not be broken, current with an undo entry, and restores it first if it was
  /// deleted. With `joins`, a move to a neighbour joins the entry before it if that is also such a move.
  void go(int node, bool joins);
  /// To be called after the history has been changed: forgets the paths, and calls Documents::noteChange.
  void noteChange();
  /// Drops what is remembered of paths and chapters, clears the undo log and stops playing; to be called after another
  /// target has been opened.
  void reset();

 private:
  Jobs& jobs_;
  Documents& documents_;
  Programs& programs_;
  Compilations& compilations_;
  Comparison& comparison_;
  UndoLog& log_;
  std::uint64_t shows_ = 0;
  std::map<int, int> lastChild_;        ///< the child on the path taken last, by state
  mutable std::vector<int> path_;       ///< the result of `path`; empty if the current state or the history has changed
  mutable std::vector<int> otherPath_;  ///< the result of `path` while a Comparison::OtherSide is in effect
  std::size_t dragEntry_ = 0;           ///< size of the log with a drag's entry as its last; 0: no drag goes on
  int chosenChapter_ = -1;              ///< the chapter that `goToChapter` went to last; −1: none
  /// Index of the first chapter whose end a state leads to, by index of the state when the target was opened; −1: none.
  /// Empty if it hasn't been computed yet.
  mutable std::vector<int> chapters_;
  bool playing_ = false;
  double played_ = 0;  ///< seconds since the last step
};

}  // namespace loom::session
