#pragma once

#include <memory>
#include <optional>

#include "app/session/programs.h"

namespace loom::session {

/// The comparison of two states: all panels show the current state and mark how it differs from another one, the state
/// compared with. A state is the program after some steps of its schedule, given by its index in the history.
///
/// A panel that shows both states is drawn twice. While its second half is drawn, an `OtherSide` object exists, and
/// every part of the session answers as if the state compared with were the current one.
class Comparison {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Comparison(const Options& options, Jobs& jobs, Programs& programs, const Documents& documents)
      : options_(options), jobs_(jobs), programs_(programs), documents_(documents) {}

  /// Starts comparing the current state, whichever it is at a time, with `node`. The comparison lasts until `end` or
  /// until `node` is removed. Nothing happens if there is no such state. A target must be open.
  void with(int node);
  /// Ends the comparison, if there is one. No `OtherSide` may be in effect.
  void end();
  /// Returns the state compared with, or while an `OtherSide` exists the current one; −1 if there is no comparison.
  int node() const;
  /// Returns whether an `OtherSide` is in effect: the state compared with is shown, marked against the current one.
  bool isOtherSide() const { return otherSide_; }
  /// Returns the state that is shown: the current one, or the one compared with while an `OtherSide` is in effect.
  int current() const { return otherSide_ ? compared_->node : documents_.history().current(); }
  /// Returns the state that changes are marked against: `node()`, or without a comparison the parent of the current
  /// one; −1 if there is neither.
  int reference() const;
  /// Returns the program of the state `current`. In a comparison, it is marked against the other state's program once
  /// the marks have been made. Returns null until the program has been made.
  std::shared_ptr<const Program> shown();

  /// While an object of this class exists, the state compared with is the one that is shown. The object has no effect
  /// without a comparison, or in a comparison of a state with itself. Only one may exist at a time.
  class OtherSide {
   public:
    explicit OtherSide(Comparison& comparison);
    ~OtherSide() { comparison_.otherSide_ = false; }
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;

   private:
    Comparison& comparison_;
  };
  /// Ends the effect of an `OtherSide` for the rest of its life, before the current state is changed.
  void leaveOtherSide() { otherSide_ = false; }

  /// Starts making the marks once the programs of both states have been made, and ends the comparison if the state
  /// compared with was removed. To be called once a frame.
  void mark();
  /// Has the next `mark` make the marks anew, because the job that made them may have been dropped.
  void cancel();
  /// Ends the comparison, since another target is open.
  void reset() { compared_.reset(); }

 private:
  struct Compared {
    int node = 0;
    std::shared_ptr<const Program> from, against;  ///< programs of the current state and of `node` to make marks from
    std::shared_ptr<const Program> marked;         ///< `from`, marked against `against`; null until it has been made
    std::shared_ptr<const Program> markedOther;    ///< `against`, marked against `from`; comes with `marked`
  };

  const Options& options_;
  Jobs& jobs_;
  Programs& programs_;
  const Documents& documents_;
  std::optional<Compared> compared_;
  bool otherSide_ = false;
};

}  // namespace loom::session
