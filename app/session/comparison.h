#pragma once

#include <memory>
#include <optional>

#include "app/session/programs.h"

namespace loom::session {

/// Two states side by side: all panels show the current state with marks against the one that it is compared with.
///
/// A panel that shows both is drawn twice. While it draws the other half, an `OtherSide` lives, and every part of the
/// session answers as if the state compared with were the current one.
class Comparison {
 public:
  Comparison(const Options& options, Jobs& jobs, Programs& programs, const Documents& documents)
      : options_(options), jobs_(jobs), programs_(programs), documents_(documents) {}

  /// Compares the current state with `node`, wherever one goes, until `end` or until the state is removed.
  void with(int node);
  void end();
  /// Returns the state compared with; −1: none.
  int node() const;
  /// Returns whether an `OtherSide` lives: what is shown is the state compared with, marked against the current one.
  bool isOtherSide() const { return otherSide_; }
  /// Returns the state that is shown: the current one, or the other one while an `OtherSide` lives.
  int current() const { return otherSide_ ? compared_->node : documents_.history().current(); }
  /// Returns the state that changes are marked against: the state compared with, or else the parent of the current one;
  /// −1 if there is neither.
  int reference() const;
  /// Returns the program of `current`, marked against the other state's once that has been worked out. Null until the
  /// program is there.
  std::shared_ptr<const Program> shown();

  /// While an object of this class lives, the state compared with is the one that is shown. Without a comparison, and
  /// in a comparison of a state with itself, it has no effect.
  class OtherSide {
   public:
    explicit OtherSide(Comparison& comparison);
    ~OtherSide() { comparison_.otherSide_ = false; }
    OtherSide(const OtherSide&) = delete;
    OtherSide& operator=(const OtherSide&) = delete;

   private:
    Comparison& comparison_;
  };
  /// Ends the effect of an `OtherSide` that lives.
  void leaveOtherSide() { otherSide_ = false; }

  /// Starts making the marks once the programs of both states are there. To be called once a frame.
  void mark();
  /// Makes the marks anew, because the job that made them may have been dropped.
  void cancel();
  /// Ends the comparison, since another target is open.
  void reset() { compared_.reset(); }

 private:
  struct Compared {
    int node = 0;
    std::shared_ptr<const Program> from, against;  ///< asked for
    std::shared_ptr<const Program> marked;         ///< null until it is there
    std::shared_ptr<const Program> markedOther;    ///< the other's, marked against it; comes with `marked`
  };

  const Options& options_;
  Jobs& jobs_;
  Programs& programs_;
  const Documents& documents_;
  std::optional<Compared> compared_;
  bool otherSide_ = false;
};

}  // namespace loom::session
