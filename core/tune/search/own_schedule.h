#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/tune/search/path_states.h"
#include "core/tune/space/membership.h"

namespace loom::tune {

/// A schedule that a person made; without lines, none.
struct OwnProgram {
  std::vector<std::string> lines;                      ///< step lines from the unscheduled program on
  std::optional<schedule::State> state;                ///< the program that they lead to; nothing without lines
  std::shared_ptr<const document::KernelText> kernel;  ///< null: the schedule makes no kernel
  Message problem = {};                                ///< why it makes none; empty: it does, or that isn't known
};

/// Returns the schedule that leads to a state of a history, given by its index, and makes its kernel, which takes some
/// 10 ms.
OwnProgram ownProgramOf(const document::History& history, int node);

/// Finds the values of a sketch's decisions with which it makes the very same kernel as a person's schedule, whose
/// kernel must not be null. Decisions that the schedule doesn't tell (decisionsOf, state_reading.h), as of a line that
/// is left out, get the values whose lines are most like the person's and that break the fewest constraints, or else
/// those of `otherwise`. Fails with `NotInSketch` and the reason: its steps are others, a value is outside its domain,
/// a constraint is broken, or the kernels differ.
Result<Assignment> assignmentOf(PathStates& states, const Assignment& otherwise, const OwnProgram& own);

/// Whether a person's schedule is in the space of a sketch.
struct OwnInSketch {
  int sketch = 0;                              ///< index in RulePlan::sketches
  std::map<std::string, std::int64_t> values;  ///< of the sketch's decisions, by their names, as read from the schedule
  /// Whether the values are those of a schedule of the space, and if not, each reason. If nothing was read, they
  /// aren't, and the one reason says so.
  Membership membership;
  /// If they are: why the sketch's kernel with these values is another one than the schedule's, whose other steps
  /// differ; empty: it is the very same one.
  Message differs;
};

/// Finds out of each sketch, in their order, whether a person's schedule, which must have lines, is in its space.
/// `start` is the unscheduled program. Takes about a tenth of a second a sketch.
std::vector<OwnInSketch> ownInSketches(const PreparedSearch& prepared, const schedule::State& start,
                                       const schedule::Environment& environment, const OwnProgram& own);

}  // namespace loom::tune
