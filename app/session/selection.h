#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/session/navigation.h"
#include "core/model/timeline_position.h"

namespace loom::session {

/// What is selected, shared by all panels: loops, blocks and buffers, a thread, a line, and a point in a block's life.
class Selection {
 public:
  Selection(Jobs& jobs, const Navigation& navigation, const Documents& documents, const Comparison& comparison)
      : jobs_(jobs), navigation_(navigation), documents_(documents), comparison_(comparison) {}

  /// Returns the ids of the selected loops, blocks and buffers.
  const std::vector<ir::Id>& ids() const { return ids_; }
  bool has(ir::Id id) const;
  void select(std::vector<ir::Id> ids);

  /// The thread that the panels Thread binding and Iteration space show. The numbers may exceed those of the state that
  /// is shown; a panel clamps them.
  struct Thread {
    std::int64_t block = 0, thread = 0;  ///< number of the thread block, and of the thread in it; x varies fastest
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  const Thread& thread() const { return thread_; }
  void chooseThread(const Thread& thread);

  /// Selects a line of the current state's CUDA text, from 1, and the ids that it is about.
  void selectCudaLine(int line, std::vector<ir::Id> ids);
  /// Returns that line; 0 if none is selected, or if another state has been shown since.
  int cudaLine() const;

  /// Returns the point in a block's life that the panel Playback has reached. Null while none is shown, and once
  /// another state is. Setting it doesn't raise `Jobs::revision`, since it may change with every frame.
  const model::TimelinePosition* position() const;
  void setPosition(model::TimelinePosition position);
  void endPosition();

  /// Clears the selection, because another target is open.
  void reset() { ids_.clear(); }

 private:
  Jobs& jobs_;
  const Navigation& navigation_;
  const Documents& documents_;
  const Comparison& comparison_;
  std::vector<ir::Id> ids_;
  Thread thread_;
  int line_ = 0, lineNode_ = -1;
  std::optional<model::TimelinePosition> position_;
  std::uint64_t positionShows_ = 0;  ///< Navigation::shows when it was set
};

}  // namespace loom::session
