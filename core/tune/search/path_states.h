#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tune/search/prepared.h"

namespace loom::tune {

/// A schedule of a sketch (a schedule with open decisions): values for all its decisions. It lies on the path to the
/// winner, the fastest schedule that a search has found, or is a neighbour of the winner.
struct PathState {
  Assignment assignment;
  std::string lines;                                   ///< step lines, one a line
  std::shared_ptr<const document::KernelText> kernel;  ///< never null
  std::optional<double> predicted;                     ///< µs, predicted from the program; nothing: not predicted
  std::optional<double> measured;  ///< µs, in the same run as all states of the path; nothing: not measured, or failed
};

/// Makes the kernels of schedules of one sketch, each once.
class PathStates {
 public:
  /// `sketch` is an index in RulePlan::sketches of `prepared`, and `start` the unscheduled program. All of them, and
  /// what `environment` points to, must outlive this object.
  PathStates(const PreparedSearch& prepared, const schedule::State& start, const schedule::Environment& environment,
             int sketch)
      : prepared_(prepared),
        start_(start),
        environment_(environment),
        sketch_(prepared.plan.sketches[std::size_t(sketch)]) {}

  const Sketch& sketch() const { return sketch_; }
  const schedule::State& start() const { return start_; }

  /// Makes those of these schedules that aren't made yet, on all cores.
  void make(const std::vector<Assignment>& assignments);
  /// Returns the schedule with these values, which is made unless it was before. It is an error if one of its lines is
  /// refused, or if they make no kernel.
  const Result<PathState>& of(const Assignment& assignment);

 private:
  Result<PathState> stateOf(const Assignment& assignment) const;

  const PreparedSearch& prepared_;
  const schedule::State& start_;
  const schedule::Environment& environment_;
  const Sketch& sketch_;
  std::map<Assignment, Result<PathState>> made_;
};

}  // namespace loom::tune
