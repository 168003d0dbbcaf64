#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/playback/view/pipeline.h"
#include "app/panels/thread_binding/view/accesses.h"
#include "core/model/timeline_position.h"

namespace loom::session {

/// A bar on the time line of a thread block's life, as model::Timeline (core/model/timeline.h) predicts it. A phase is
/// the part of the life between two barriers, an action is one statement, and a track is what works on it: accesses to
/// global memory, to shared memory, arithmetic, or the issue of instructions. The timeline's items are the tree of the
/// phases, of the loops around and inside them, and of the actions. A bar is the time within a phase during which a
/// track works on an action, or waits. Times are in clocks of the multiprocessor.
struct PlaybackBar {
  int action = -1;                           ///< index into Timeline::actions; -1 for a wait
  model::Track track = model::Track::Issue;  ///< the track that works, or that is waited for
  double from = 0, to = 0;                   ///< clocks since the beginning of the phase
  bool wait = false;                         ///< whether it is a wait
  std::int64_t passes = 1;                   ///< passes of loops inside the phase that the bar stands for together
  /// For loops inside the phase that are drawn pass by pass: index into Timeline::items, and the value of the loop
  /// variable.
  std::vector<std::pair<int, std::int64_t>> values;
  /// Whether it is of an asynchronous copy that was started before the phase, or in the pass before of the loop around
  /// it (model::CopyPart::before).
  bool before = false;
};

/// The part of a block's life that is drawn enlarged: one k step (a pass of the loop over k blocks), or a phase before
/// or after the k steps. Times are in clocks.
struct PlaybackWindow {
  int item = -1;  ///< the loop of the k step, or the phase, as an index into Timeline::items; −1: the life is empty
  double from = 0, clocks = 0;         ///< beginning (since the block began) and length
  std::int64_t pass = -1, passes = 0;  ///< which pass of the loop, and of how many; -1 and 0 for a phase
  /// A phase within the window.
  struct Phase {
    int item = -1;                ///< index into Timeline::items
    double from = 0, clocks = 0;  ///< beginning (since the window began) and length
  };
  std::vector<Phase> phases;  ///< the phases within the window, in the order of time
};

/// A piece of a block's whole life: a phase that occurs once, or all passes of a loop. Times are in clocks.
struct PlaybackPiece {
  int item = -1;                ///< index into Timeline::items
  double from = 0, clocks = 0;  ///< beginning (since the block began) and length
};

/// The life of a thread block laid out in time, as the panel Playback shows it. Points in time are in clocks since the
/// block began; one before the life or after it stands for the life's beginning or end. Items and phases are given by
/// their index into Timeline::items.
class Playback {
 public:
  /// Lays out all phases of a timeline. `kernel` has the accesses of the kernel that the timeline is of. Neither is
  /// null.
  explicit Playback(std::shared_ptr<const model::Timeline> timeline,
                    std::shared_ptr<const model::KernelAccesses> kernel);

  /// Returns the timeline that is laid out.
  const model::Timeline& timeline() const { return *timeline_; }
  /// Returns the item with an index into Timeline::items.
  const model::TimelineItem& item(int index) const { return timeline_->items[std::size_t(index)]; }
  /// Returns the length of the block's life.
  double clocks() const { return timeline_->clocks; }
  /// Returns the pieces of the life in the order of time.
  std::vector<PlaybackPiece> pieces() const;
  /// Returns the part of the life to enlarge at a point in time.
  PlaybackWindow windowAt(double clocks) const;
  /// Returns the bars of the phase with the index `phase` into Timeline::items.
  const std::vector<PlaybackBar>& bars(int phase) const;
  /// Returns the ring buffers and the copies in flight; empty for a program whose iterations don't overlap (no software
  /// pipeline).
  const PipelineView& pipeline() const { return pipeline_; }
  /// Returns the next point in time after `clocks` (or with `forward` false the previous one) at which a window, a
  /// phase or a bar begins; bars of instruction issue don't count. Returns the end of the life if there is no next one,
  /// and 0 if there is no previous one.
  double boundary(double clocks, bool forward) const;
  /// Returns the point in time at which the next k step begins, or with `forward` false, the current one (the previous
  /// one, if `clocks` is its beginning). Outside the k steps, phases count as steps. Returns the end of the life if
  /// there is no next step, and 0 if there is no previous one.
  double step(double clocks, bool forward) const;
  /// Returns what the block does at a point in time, for the panels that follow the cursor. `node` is the index, in the
  /// history, of the state that is played back.
  model::TimelinePosition momentAt(int node, double clocks) const;

 private:
  /// What contains a point in time.
  struct Place {
    std::vector<std::pair<int, std::int64_t>> passes;  ///< the loops around it, outermost first, each with its pass
    int phase = -1;                                    ///< the phase
    double phaseFrom = 0;                              ///< where that phase begins
  };
  /// Returns the loops and the phase at a point in time.
  Place placeAt(double clocks) const;
  /// Adds the action of a bar to what happens at a moment.
  void addAction(model::TimelinePosition& moment, const PlaybackBar& bar) const;

  std::shared_ptr<const model::Timeline> timeline_;
  std::shared_ptr<const model::KernelAccesses> kernel_;
  std::vector<std::vector<PlaybackBar>> bars_;  ///< the bars of each phase, by Timeline::phases
  PipelineView pipeline_;
};

/// The smallest rectangle of a buffer that contains all elements that a thread block accesses at a point in time. The
/// buffer is taken as a matrix: its last dimension runs along the columns, all others together along the rows.
struct TouchedTile {
  std::string buffer;  ///< name of the buffer
  bool write = false;  ///< whether the block writes the rectangle; otherwise it reads it
  /// First row, number of rows, first column, number of columns.
  std::int64_t row = 0, rows = 0, column = 0, columns = 0;
  std::int64_t elements = 0;  ///< number of elements of the rectangle that are accessed
};
/// Returns the rectangles of global and shared memory that the block with the index `block` in the grid accesses at a
/// point in time. Takes some milliseconds.
std::vector<TouchedTile> tilesAt(const ThreadBinding& binding, const model::TimelinePosition& moment,
                                 std::int64_t block);

/// Returns the number of clocks to which the clocks of a budget (how the time of a part of the life is spent) are
/// rounded for display: 0.1, 1 or 1000, by the budget's total. More digits would promise more than a model can say.
double unitOf(const model::Budget& budget);
/// Returns the clocks that each track adds to the time of a budget: those in which it is the busiest, and those in
/// which the block waits for it. They are rounded such that the displayed parts add up to the displayed whole.
model::TrackClocks addedClocks(const model::Budget& budget);

}  // namespace loom::session
