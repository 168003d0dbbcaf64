#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/checks.h"
#include "app/session/compilations.h"
#include "app/session/problem.h"

namespace loom::session {

/// The entries of the panel Problems: the refusals, which are what was given to `add` since the target (lesson,
/// document or function) was opened (refused step lines, unreadable texts, failed background jobs); what is wrong with
/// the current state (the program after some steps) or was broken by a step that leads to it; wrong results or failures
/// of any state that was executed or measured; and remarks, those of `addRemarks` among them.
class Problems {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  Problems(Jobs& jobs, const Documents& documents, const Programs& programs, const Compilations& compilations,
           const Results& results, const Checks& checks)
      : jobs_(jobs),
        documents_(documents),
        programs_(programs),
        compilations_(compilations),
        results_(results),
        checks_(checks) {}

  /// Returns all entries, refusals first. While no target is open, there are only refusals. The list is made anew by
  /// the first call after `Jobs::revision` has grown; until then the reference is valid.
  const std::vector<Problem>& all() const;
  /// Adds a refusal, of the kind kRefused, kUnreadable or kFailed. This and the three functions below make
  /// `Jobs::revision` grow.
  void add(Problem refusal);
  /// Removes all refusals.
  void clearRefusals();
  /// Removes these refusals, because the edit that caused them was undone: for each one the latest entry with the same
  /// state, line and message; nothing if there is none.
  void dropRefusals(const std::vector<Problem>& refusals);
  /// Replaces the remarks on files of stored results and of devices, for instance that they can't be saved: entries of
  /// the kind kRemark at the current state. An empty list changes nothing, so remarks stay until others replace them.
  void addRemarks(std::vector<Message> remarks);
  /// Removes all refusals. For the session while it opens another target, which makes `Jobs::revision` grow itself;
  /// others call `clearRefusals`.
  void reset() { refusals_.clear(); }

 private:
  std::vector<Problem> collect() const;

  Jobs& jobs_;
  const Documents& documents_;
  const Programs& programs_;
  const Compilations& compilations_;
  const Results& results_;
  const Checks& checks_;
  std::vector<Problem> refusals_;
  std::vector<Message> remarks_;
  mutable std::vector<Problem> all_;
  mutable std::uint64_t allOf_ = 0;  ///< Jobs::revision when `all_` was collected
};

}  // namespace loom::session
