#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stop_token>

#include "app/session/results.h"
#include "core/exec/check.h"

namespace loom::session {

/// The execution of the user's own states on the CPU, beside the original program: without a GPU nothing else would
/// find a step that is legal and wrong.
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

  /// Returns what the execution of a state has shown, or why it can't be executed. Null until that is known, and for
  /// states that were measured or belong to a lesson's way.
  const Result<exec::Report>* of(int node) const;
  /// Returns whether the execution has shown a wrong result.
  bool hasFailed(int node) const;
  /// Returns whether the execution of a state, or a measurement's comparison with the reference, has shown a wrong
  /// result.
  bool isWrong(int node) const;
  /// Returns the states whose execution has shown a wrong result, in order.
  std::vector<int> failed() const;

  /// Has the current state executed where that is still to be done. `isOnLessonsWay` says whether the state leads to the
  /// end of a chapter, whose results are tested. To be called once a frame.
  void checkCurrent(const std::function<bool()>& isOnLessonsWay);
  /// Ends what is being executed.
  void cancel();
  /// Forgets all.
  void reset();

 private:
  struct Checked {
    std::shared_ptr<const Program> from;
    std::shared_ptr<const Result<exec::Report>> report;  ///< null until it is there
    bool underWay = false;                               ///< the rest of it is being looked at
    bool isWrong() const;
    /// The budget gave a part only.
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
