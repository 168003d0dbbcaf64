#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/session/comparison.h"
#include "app/session/compilations.h"
#include "app/session/undo_log.h"

namespace loom::session {

/// Where one is in the open target's tree, and the ways through it. Everything but `isPlaying` needs an open target.
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
  /// Grows whenever a state becomes the current one, also when it was before.
  std::uint64_t shows() const { return shows_; }

  /// Makes a state the current one. Neighbouring steps are one entry of undo. Nothing happens for a state that is
  /// broken or not there.
  void select(int node);
  /// Goes to the parent. Returns false if there is none.
  bool stepBack();
  /// Goes to the child on the path that was last taken, else to the first. Returns false if there is none.
  bool stepForward();
  /// Returns the states from the start through the current one to where `stepForward` ends, in order.
  const std::vector<int>& path() const;
  /// Returns where `stepForward` leads from a state; −1: nowhere.
  int childAhead(int node) const;
  /// Selects as a drag over the path does: all states that are passed until the next `begins` are one entry of undo.
  void dragTo(int node, bool begins);

  /// Returns the index of the lesson's chapter that the current state belongs to; −1 without a lesson or off its path.
  int chapter() const;
  /// Returns whether the current state leads to the end of a chapter.
  bool isOnLessonsWay() const;
  /// Goes to the end of a chapter. Nothing happens for one that is not there or broken.
  void goToChapter(int chapter);
  /// Goes to the end of the chapter before or after. Returns false if there is none.
  bool previousChapter();
  bool nextChapter();
  /// Returns where `nextChapter` leads; −1: nowhere.
  int chapterAfter() const;

  bool isPlaying() const { return playing_; }
  void setPlaying(bool playing);
  /// Advances playback by `seconds`; to be called once a frame. Returns true when a step was taken.
  bool advance(double seconds);

  /// Exchanges the state compared with and the current one. Without a comparison nothing happens.
  void exchangeCompared();
  /// Exchanges them if the other side is shown: what is about to be done is done at the state that is looked at.
  void leaveOtherSide();

  /// Makes `node` current without an entry of undo.
  void show(int node);
  /// The same with an entry. `joins`: steps to a neighbour, one after the other, are one entry.
  void go(int node, bool joins);
  /// Notes a change of the document.
  void noteChange();
  /// Forgets the ways of the target before; another one is open.
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
