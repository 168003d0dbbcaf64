#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "core/model/timeline_position.h"

namespace loom::session {

/// A stretch of a pipe's time within a phase: an action, or a wait.
struct PlaybackBar {
  int action = -1;  ///< in the timeline; of a wait: none
  model::Track track = model::Track::Issue;
  double from = 0, to = 0;  ///< clocks since the phase began
  bool wait = false;
  std::int64_t passes = 1;                           ///< of loops inside the phase that it sums up
  std::vector<std::pair<int, std::int64_t>> values;  ///< of loops inside the phase that are drawn pass by pass: item,
                                                     ///< value
};

/// What stands in the window below the whole life: one k step, or the phase before or behind the steps.
struct PlaybackWindow {
  int item = -1;  ///< the loop of the step, or the phase
  double from = 0, clocks = 0;
  std::int64_t pass = -1, passes = 0;  ///< of the loop
  struct Phase {
    int item = -1;                ///< of the timeline
    double from = 0, clocks = 0;  ///< since the window began
  };
  std::vector<Phase> phases;
};

/// A piece of the whole life: phases that come once, or all passes of a loop.
struct PlaybackPiece {
  int item = -1;
  double from = 0, clocks = 0;
};

/// A block's life laid out in time; its phases by `layOutPhase`.
class Playback {
 public:
  explicit Playback(std::shared_ptr<const model::Timeline> timeline,
                    std::shared_ptr<const model::KernelAccesses> kernel);

  const model::Timeline& timeline() const { return *timeline_; }
  const model::TimelineItem& item(int index) const { return timeline_->items[std::size_t(index)]; }
  double clocks() const { return timeline_->clocks; }
  /// The outermost level, in the order of time.
  std::vector<PlaybackPiece> pieces() const;
  PlaybackWindow windowAt(double clocks) const;
  /// Bars of a phase (its item).
  const std::vector<PlaybackBar>& bars(int phase) const;
  /// Where the next (or the last) bar begins before or after a point in time; the life's ends at last.
  double boundary(double clocks, bool forward) const;
  /// One k step on or back.
  double step(double clocks, bool forward) const;
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
};

/// A rectangle of a buffer that block `block` touches at a moment: [rows), [columns).
struct TouchedTile {
  std::string buffer;
  bool write = false;
  std::int64_t row = 0, rows = 0, column = 0, columns = 0;
  std::int64_t elements = 0;  ///< touched in it
};
/// By touch of the moment, without registers; some milliseconds.
std::vector<TouchedTile> tilesAt(const ThreadBinding& binding, const model::TimelinePosition& moment,
                                 std::int64_t block);

/// What clocks of a budget are rounded to: tenths of few, thousands of many, for they are a model's.
double unitOf(const model::Budget& budget);
/// What each pipe adds to a stretch of the life, waits for it included: rounded so that what is shown of the parts
/// comes to what is shown of the whole.
model::TrackClocks addedClocks(const model::Budget& budget);

}  // namespace loom::session
