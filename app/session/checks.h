#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>

#include "app/session/results.h"
#include "core/exec/check.h"

namespace loom::session {

/// Checks of the user's own states: each is executed on the CPU and its results are compared with those of the original
/// program (exec::Checker). Without a GPU, nothing else would find a step that is legal but wrong. A state is the
/// program after some steps of its schedule, given by its index in the history.
class Checks {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Checks(const Options& options, Jobs& jobs, const ModelDevice& device, Programs& programs, const Results& results,
         const Documents& documents)
      : options_(options),
        jobs_(jobs),
        device_(device),
        programs_(programs),
        results_(results),
        documents_(documents) {}

  /// Returns the report on the check of a state, or why the state can't be executed; valid until the next Session::poll
  /// or `reset`. The report is first on the part of the program that is executed within two seconds (Status::Partly if
  /// that isn't all), and is replaced by one on all of it if the state stays the current one until that has been
  /// executed. Returns null until the first report is known: a state is checked only while it is the current one, and
  /// not if it has a stored result or is a lesson's state that is no kernel.
  const Result<exec::Report>* of(int node) const;
  /// Returns whether the execution of a state has shown a wrong result or a fault, such as an access out of bounds;
  /// false also if it wasn't or can't be executed.
  bool hasFailed(int node) const;
  /// Returns whether a state computes a wrong result: by the stored result of its measurement if there is one, or else
  /// as `hasFailed`.
  bool isWrong(int node) const;
  /// Returns the states for which `hasFailed` is true, in ascending order.
  std::vector<int> failed() const;

  /// Starts the check of the current state if it needs one; nothing happens without Options::check. `isOnLessonsWay`
  /// returns whether the current state is on the path to the end of a lesson's chapter (Navigation::isOnLessonsWay):
  /// such a state isn't checked if it is no kernel. To be called once a frame.
  void checkCurrent(const std::function<bool()>& isOnLessonsWay);
  /// Ends the check that is under way. The next `checkCurrent` starts it again if its state is still the current one.
  void cancel();
  /// Drops all reports.
  void reset();

 private:
  struct Checked {
    std::shared_ptr<const Program> from;                 ///< program of the state that is checked
    std::shared_ptr<const Result<exec::Report>> report;  ///< null until the first execution has ended
    bool underWay = false;                               ///< whether the rest of the program is being executed
    /// Returns whether the report says that a result is wrong or that the program has a fault.
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
  std::stop_source stop_;  ///< ends the check that is under way
};

}  // namespace loom::session
