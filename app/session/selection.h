#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/session/navigation.h"
#include "core/model/timeline_position.h"

namespace loom::session {

/// What the user has selected, shared by all panels: loops, blocks and buffers; a thread; a line of the CUDA text; and
/// the point that the playback of a thread block's execution has reached. A state is the program after some schedule
/// steps; panels show the current one. What changes makes `Jobs::revision` grow, which tells panels to look again, but
/// for the point.
class Selection {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Selection(Jobs& jobs, const Navigation& navigation, const Documents& documents, const Comparison& comparison)
      : jobs_(jobs), navigation_(navigation), documents_(documents), comparison_(comparison) {}

  /// Returns the ids of the selected loops, blocks and buffers. They stay selected when another state becomes current,
  /// which may lack some of them.
  const std::vector<ir::Id>& ids() const { return ids_; }
  /// Returns whether the loop, block or buffer with this id is selected.
  bool has(ir::Id id) const;
  /// Selects these loops, blocks and buffers in place of the earlier ones. No line is selected then.
  void select(std::vector<ir::Id> ids);

  /// The thread that the panels Thread binding and Iteration space show. The numbers may exceed those of the state that
  /// is shown; a panel clamps them.
  struct Thread {
    std::int64_t block = 0, thread = 0;  ///< number of the thread block, and of the thread in it; x varies fastest
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  /// Returns the selected thread.
  const Thread& thread() const { return thread_; }
  /// Selects a thread.
  void chooseThread(const Thread& thread);

  /// Selects a line of the current state's CUDA text, counted from 1, and, in place of the earlier ones, `ids`, the
  /// loops, blocks and buffers that the line was generated from.
  void selectCudaLine(int line, std::vector<ir::Id> ids);
  /// Returns the selected line of the CUDA text, counted from 1; 0 if none is selected, or if another state is current.
  int cudaLine() const;

  /// Returns the point in the execution of a thread block that the panel Playback shows, valid until it is set or
  /// removed; null if it shows none, if the point is of another state than the current one (while a
  /// Comparison::OtherSide exists, the state compared with counts as current), or if another state has been shown
  /// since.
  const model::TimelinePosition* position() const;
  /// Sets the point that the panel Playback shows. `Jobs::revision` doesn't grow, as the point may change in every
  /// frame.
  void setPosition(model::TimelinePosition position);
  /// Removes the point, because the panel Playback shows none any more: without a Comparison::OtherSide whichever point
  /// there is, while one exists only a point of the state compared with.
  void endPosition();

  /// Unselects all loops, blocks and buffers, the line of the CUDA text and the point that Playback shows, because
  /// another target is open. The thread stays.
  void reset() {
    ids_.clear();
    line_ = 0;
    position_.reset();
  }

 private:
  Jobs& jobs_;
  const Navigation& navigation_;
  const Documents& documents_;
  const Comparison& comparison_;
  std::vector<ir::Id> ids_;
  Thread thread_;
  int line_ = 0, lineNode_ = -1;  ///< line of the CUDA text, and index of its state
  std::optional<model::TimelinePosition> position_;
  std::uint64_t positionShows_ = 0;  ///< Navigation::shows when `position_` was set
};

}  // namespace loom::session
