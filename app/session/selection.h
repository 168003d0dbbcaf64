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

  /// Whom Thread binding and Iteration space look at, by number, x fastest; a panel brings the numbers into its state's
  /// bounds.
  struct Thread {
    std::int64_t block = 0, thread = 0;
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  const Thread& thread() const { return thread_; }
  void chooseThread(const Thread& thread);

  /// Selects a line of the current state's CUDA text, from 1, and the ids that it is about.
  void selectCudaLine(int line, std::vector<ir::Id> ids);
  /// Returns that line; 0: none is selected, or another state is shown since.
  int cudaLine() const;

  /// Returns the point in a block's life that is played or dragged to. Null while none is shown, and once another state
  /// is. Doesn't count for `Jobs::revision`, since it changes with every frame.
  const model::TimelinePosition* position() const;
  void setPosition(model::TimelinePosition position);
  void endPosition();

  /// Selects nothing, since another target is open.
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
