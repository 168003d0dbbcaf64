#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/state_model.h"
#include "core/model/advice.h"
#include "core/tune/candidate_steps.h"

namespace loom::session {

/// A step, or a short sequence, that the engine took, whose program computes the same and is predicted to be faster.
struct Proposal {
  tune::CandidateStep step;
  double before = 0, after = 0;  ///< predicted, µs, both of the depth
  ModelBasis depth = ModelBasis::kSource;
};

/// What was tried against something that the model finds.
struct AdviceTrial {
  model::Advice against;
  int tried = 0;      ///< programs of steps that could help by their kind: all of them predicted
  int proposal = -1;  ///< the fastest: index into Proposals::offered; -1: none is faster
  double best = 0;    ///< µs, of the fastest as it is written; 0: none could be predicted
};

/// What could be done next to be faster, by the model.
struct Proposals {
  bool done = false;
  int steps = 0;      ///< that the engine took, different as lines
  int predicted = 0;  ///< programs among them that differ and for which the model has a time
  int wrong = 0;      ///< of those that promised most, how many were dropped because they compute something else
  double before = 0;  ///< the state as it is written, µs; 0: the model has no time for it
  std::vector<Proposal> offered;    ///< the fastest first
  std::vector<int> best;            ///< of `offered`, at most three that don't repeat each other
  std::vector<AdviceTrial> trials;  ///< one for each advice

  const AdviceTrial* against(const model::Advice& advice) const;
};

/// Whether a step is of the kind that helps against what is found, where it is found.
bool couldHelp(const tune::CandidateStep& step, const model::Advice& advice);

struct ProposalQuery {
  document::History history;  ///< a copy, for another thread
  int node = 0;
  std::vector<model::Advice> advice{};     ///< of the state
  std::optional<double> compiledBefore{};  ///< µs by its machine code, where that is known
  /// µs of a program as it is written, and by its machine code; the latter is null without a compiler.
  std::function<std::optional<double>(const document::KernelText&)> written{}, compiled{};
  /// Whether it computes what the first state of the history computes.
  std::function<bool(const schedule::State&)> isRight{};
  std::function<void(const Proposals&)> tell{};      ///< whenever there is more to show
  std::function<void(int done, int of)> progress{};  ///< programs
};

/// Tries all of `candidateSteps`; what would help against advice first. Those that promise most are executed and
/// compiled. The same for the same state and answers. Seconds: for another thread. Ends early, undone, when `stop`
/// becomes true.
Proposals searchProposals(const ProposalQuery& query, const schedule::Environment& environment,
                          const std::atomic<bool>& stop);

}  // namespace loom::session
