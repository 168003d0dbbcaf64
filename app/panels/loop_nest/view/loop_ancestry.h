#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Tells, for a loop or block of a state (the program after a step), from which loops or blocks and by which schedule
/// steps it was made.
class Ancestors {
 public:
  /// `input` has the states from the start of the history to one of them, with the step lines that led to each. `state`
  /// is the last state of `input.path`, or a state that a previewed step makes of it. Both arguments must outlive the
  /// object.
  Ancestors(const StatePath& input, const schedule::State& state);
  /// Returns the steps that led to a loop or block, oldest first; empty if the function had it from the start, if
  /// `state` never had it, or if a step that isn't in `input` made it. Of a loop that was made of several, the steps of
  /// the first one are followed.
  std::vector<Ancestry> of(ir::Id id) const;

 private:
  const StatePath& input_;
  const schedule::State& state_;
  std::map<std::uint32_t, int> stepOf_;  ///< uid of a step line → index in the path of the state that it led to
};

}  // namespace loom::session
