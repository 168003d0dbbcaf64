#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>

#include "app/session/results.h"
#include "core/exec/check.h"

namespace loom::session {

/// Checks of the user's own states: each is executed on the CPU and compared with the original program (exec::Checker).
/// Without a GPU, nothing else would find a step that is legal but wrong.
class Checks {
 public:
  Checks(const Options& options, Jobs& jobs, const ModelDevice& device, Programs& programs, const Results& results,
         const Documents& documents)
      : options_(options),
        jobs_(jobs),
        device_(device),
        programs_(programs),
        results_(results),
        documents_(documents) {}

  /// Returns the report on a state, or why it can't be executed. Null until that is known, and for states that need no
  /// check, because they were measured or are states of a lesson.
  const Result<exec::Report>* of(int node) const;
  /// Returns whether the execution has shown a wrong result.
  bool hasFailed(int node) const;
  /// Returns whether the execution of a state, or a measurement's comparison with the reference, has shown a wrong
  /// result.
  bool isWrong(int node) const;
  /// Returns the states whose execution has shown a wrong result, in order.
  std::vector<int> failed() const;

  /// Starts the check of the current state if it needs one. `isOnLessonsWay` returns whether the state is one of a
  /// lesson, whose states are tested. To be called once a frame.
  void checkCurrent(const std::function<bool()>& isOnLessonsWay);
  /// Ends the check that is under way.
  void cancel();
  /// Drops all reports.
  void reset();

 private:
  struct Checked {
    std::shared_ptr<const Program> from;
    std::shared_ptr<const Result<exec::Report>> report;  ///< null until it is there
    bool underWay = false;                               ///< whether the rest of the program is being executed
    bool isWrong() const;
    /// Returns whether only a part was executed, because of the budget.
    bool isPart() const { return report && *report && (*report)->status == exec::Report::Status::Partly; }
  };

  const Options& options_;
  Jobs& jobs_;
  const ModelDevice& device_;
  Programs& programs_;
  const Results& results_;
  const Documents& documents_;
  std::map<int, Checked> checked_;
  std::stop_source stop_;  ///< of the one under way
};

}  // namespace loom::session
