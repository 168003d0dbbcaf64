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

/// A bar on the time line: the time within a phase during which a track works on an action, or waits. Times are in
/// clocks of the multiprocessor.
struct PlaybackBar {
  int action = -1;  ///< index into Timeline::actions; -1 for a wait
  model::Track track = model::Track::Issue;
  double from = 0, to = 0;  ///< clocks since the beginning of the phase
  bool wait = false;
  std::int64_t passes = 1;  ///< passes of loops inside the phase that the bar stands for together
  /// For loops inside the phase that are drawn pass by pass: index into Timeline::items, and the value of the loop
  /// variable.
  std::vector<std::pair<int, std::int64_t>> values;
};

/// The part of the life that is drawn enlarged: one k step, or a phase before or after the k steps.
struct PlaybackWindow {
  int item = -1;                       ///< the loop of the k step, or the phase, as an index into Timeline::items
  double from = 0, clocks = 0;         ///< beginning and length, since the block began
  std::int64_t pass = -1, passes = 0;  ///< which pass of the loop, and of how many; -1 and 0 for a phase
  struct Phase {
    int item = -1;                ///< index into Timeline::items
    double from = 0, clocks = 0;  ///< beginning and length, since the window began
  };
  std::vector<Phase> phases;
};

/// A piece of the whole life: a phase that occurs once, or all passes of a loop.
struct PlaybackPiece {
  int item = -1;                ///< index into Timeline::items
  double from = 0, clocks = 0;  ///< beginning and length, since the block began
};

/// A block's life laid out in time. `layOutPhase` lays out its phases. Points in time are in clocks since the block
/// began.
class Playback {
 public:
  explicit Playback(std::shared_ptr<const model::Timeline> timeline,
                    std::shared_ptr<const model::KernelAccesses> kernel);

  const model::Timeline& timeline() const { return *timeline_; }
  const model::TimelineItem& item(int index) const { return timeline_->items[std::size_t(index)]; }
  double clocks() const { return timeline_->clocks; }
  /// Returns the pieces of the life in the order of time.
  std::vector<PlaybackPiece> pieces() const;
  /// Returns the part of the life to enlarge at a point in time.
  PlaybackWindow windowAt(double clocks) const;
  /// Returns the bars of a phase, given by its index into Timeline::items.
  const std::vector<PlaybackBar>& bars(int phase) const;
  /// Returns the rings of buffers and the copies on their way; empty for a program whose iterations don't overlap.
  const PipelineView& pipeline() const { return pipeline_; }
  /// Returns the next point in time (or the previous one) at which a bar begins; beyond the last one, the end of the
  /// life.
  double boundary(double clocks, bool forward) const;
  /// Returns the point in time one k step later (or earlier).
  double step(double clocks, bool forward) const;
  /// Returns what happens at a point in time, for the panels that follow it. `node` is the state.
  model::TimelinePosition momentAt(int node, double clocks) const;

 private:
  struct Place {
    std::vector<std::pair<int, std::int64_t>> passes;  ///< items, values
    int phase = -1;
    double phaseFrom = 0;
  };
  Place placeAt(double clocks) const;
  void addAction(model::TimelinePosition& moment, const PlaybackBar& bar) const;

  std::shared_ptr<const model::Timeline> timeline_;
  std::shared_ptr<const model::KernelAccesses> kernel_;
  std::vector<std::vector<PlaybackBar>> bars_;  ///< by phase of the timeline
  PipelineView pipeline_;
};

/// A rectangle of a buffer that a block accesses at a point in time.
struct TouchedTile {
  std::string buffer;
  bool write = false;
  std::int64_t row = 0, rows = 0, column = 0, columns = 0;  ///< first row, number of rows; the same for columns
  std::int64_t elements = 0;                                ///< elements in the rectangle that are accessed
};
/// Returns the rectangles that block `block` accesses at a point in time, without registers. Takes some milliseconds.
std::vector<TouchedTile> tilesAt(const ThreadBinding& binding, const model::TimelinePosition& moment,
                                 std::int64_t block);

/// Returns the unit that the clocks of a budget are rounded to, from tenths to thousands, since more digits would
/// promise more than a model can say.
double unitOf(const model::Budget& budget);
/// Returns the clocks that each track adds to a part of the life, waits for it included. They are rounded such that the
/// displayed parts add up to the displayed whole.
model::TrackClocks addedClocks(const model::Budget& budget);

}  // namespace loom::session
