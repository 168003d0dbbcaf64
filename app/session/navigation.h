#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/session/comparison.h"
#include "app/session/compilations.h"
#include "app/session/undo_log.h"

namespace loom::session {

/// The current state and the movements in the history of the open target. Everything but `isPlaying` requires an open
/// target.
class Navigation {
 public:
  Navigation(Jobs& jobs, Documents& documents, Programs& programs, Compilations& compilations, Comparison& comparison,
             UndoLog& log)
      : jobs_(jobs),
        documents_(documents),
        programs_(programs),
        compilations_(compilations),
        comparison_(comparison),
        log_(log) {}

  const document::History& history() const { return documents_.history(); }
  /// Returns the state that is shown.
  int current() const { return comparison_.current(); }
  const document::Node& node() const { return history().node(current()); }
  /// Returns a number that grows whenever a state is made the current one, even if it was so already.
  std::uint64_t shows() const { return shows_; }

  /// Makes a state the current one. Neighbouring steps are one entry of undo. Nothing happens for a state that is
  /// broken or not there.
  void select(int node);
  /// Goes to the parent. Returns false if there is none.
  bool stepBack();
  /// Goes to the child on the path that was last taken, else to the first. Returns false if there is none.
  bool stepForward();
  /// Returns the states from the start through the current one to the last that `stepForward` reaches, in order.
  const std::vector<int>& path() const;
  /// Returns the state that `stepForward` goes to from a state; −1 if there is none.
  int childAhead(int node) const;
  /// Makes a state the current one during a drag along the path. The states passed from one call with `begins` to the
  /// next are one undo entry.
  void dragTo(int node, bool begins);

  /// Returns the index of the lesson's chapter that the current state belongs to; −1 without a lesson or off its path.
  int chapter() const;
  /// Returns whether the current state is on the path to the end of a chapter.
  bool isOnLessonsWay() const;
  /// Goes to the end of a chapter. Nothing happens for one that is not there or broken.
  void goToChapter(int chapter);
  /// Goes to the end of the chapter before or after. Returns false if there is none.
  bool previousChapter();
  bool nextChapter();
  /// Returns the state that `nextChapter` goes to; −1 if there is none.
  int chapterAfter() const;

  bool isPlaying() const { return playing_; }
  void setPlaying(bool playing);
  /// Advances playback by `seconds`; to be called once a frame. Returns true when a step was taken.
  bool advance(double seconds);

  /// Exchanges the current state and the state compared with. Nothing happens without a comparison.
  void exchangeCompared();
  /// Exchanges them if an `OtherSide` lives, so that what the user does next is done at the state that is looked at.
  void leaveOtherSide();

  /// Makes `node` current without an entry of undo.
  void show(int node);
  /// Goes to a state with an undo entry. With `joins`, it joins the entry before it if that was also made with `joins`.
  void go(int node, bool joins);
  /// Notes that the document has changed (Documents::noteChange).
  void noteChange();
  /// Drops what is remembered of paths, because another target is open.
  void reset();

 private:
  Jobs& jobs_;
  Documents& documents_;
  Programs& programs_;
  Compilations& compilations_;
  Comparison& comparison_;
  UndoLog& log_;
  std::uint64_t shows_ = 0;
  std::map<int, int> lastChild_;
  mutable std::vector<int> path_;       ///< of `path`; empty once the current state or the tree have changed
  mutable std::vector<int> otherPath_;  ///< of `path` while the other side is shown
  std::size_t dragEntry_ = 0;           ///< size of the log with a drag's entry as its last; 0: no drag goes on
  int chosenChapter_ = -1;
  /// By node as the target was opened: the first chapter that it leads to; −1: none. Empty: not worked out yet.
  mutable std::vector<int> chapters_;
  bool playing_ = false;
  double played_ = 0;  ///< seconds since the last step
};

}  // namespace loom::session
