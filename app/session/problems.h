#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/session/checks.h"
#include "app/session/compilations.h"
#include "app/session/problem.h"

namespace loom::session {

/// What the user should know of: what was refused, and what is wrong with the current state and with results.
class Problems {
 public:
  Problems(Jobs& jobs, const Documents& documents, const Programs& programs, const Compilations& compilations,
           const Results& results, const Checks& checks)
      : jobs_(jobs),
        documents_(documents),
        programs_(programs),
        compilations_(compilations),
        results_(results),
        checks_(checks) {}

  const std::vector<Problem>& all() const;
  /// Adds what was refused.
  void add(Problem refusal);
  /// Forgets refusals: all, or those that an undone edit takes with it.
  void clearRefusals();
  void dropRefusals(const std::vector<Problem>& refusals);
  /// Adds what is wrong with the machine's results: ones that are not kept, say.
  void addRemarks(std::vector<Message> remarks);
  /// Forgets refusals, since another target is open.
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
  mutable std::uint64_t allOf_ = 0;  ///< Jobs::revision that `all_` is of
};

}  // namespace loom::session
