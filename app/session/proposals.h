#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/session/predicted_time.h"
#include "app/session/state_model.h"
#include "core/model/advice.h"
#include "core/tune/candidate_steps.h"

namespace loom::session {

/// A candidate step whose program is predicted to be at least 2 % faster than the current one, and in whose execution
/// on the CPU no wrong result was found. A time is predicted from the program as written, or from its machine code. A
/// candidate step is one or several step lines that primitives have accepted, to be applied to the current state (the
/// program after some steps) or in place of an earlier step.
struct Proposal {
  tune::CandidateStep step;
  document::FoldTitles titles{};                   ///< title in the history, by language, if there are several steps
  double before = 0, after = 0;                    ///< predicted times in µs, both on this `basis`
  ModelBasis basis = ModelBasis::kSource;          ///< kSource or kMachineCode
  std::int64_t sharedBefore = 0, sharedAfter = 0;  ///< bytes of shared memory per thread block
  int registersBefore = 0, registersAfter = 0;     ///< registers per thread; 0 if the basis is kSource
};

/// The outcome of the search for one piece of the model's advice.
struct AdviceTrial {
  model::Advice against;  ///< the advice, which names a bottleneck of the state
  int tried = 0;          ///< number of candidates' programs that could help (`couldHelp`) and have a predicted time
  /// Index into Proposals::offered of the fastest proposal against the advice; for advice on pipelines and warpgroups,
  /// of the one with the fewest changes. -1 if none is offered.
  int proposal = -1;
  double best = 0;  ///< shortest predicted time, as written, of the programs that `tried` counts, in µs; 0: none
};

/// The result of a search for faster next steps.
struct Proposals {
  bool done = false;                ///< whether the search has ended
  int steps = 0;                    ///< number of candidates (different step lines) that the primitives accepted
  int predicted = 0;                ///< number of different programs of these candidates that have a predicted time
  int wrong = 0;                    ///< number of programs dropped because ProposalQuery::isRight was false for them
  double before = 0;                ///< predicted time of the state as written, µs; 0 if the model has none
  std::vector<Proposal> offered;    ///< the proposals, by predicted time, the fastest first
  std::vector<int> best;            ///< indices into `offered`: at most three that differ in what they do
  std::vector<AdviceTrial> trials;  ///< one for each piece of advice

  /// Returns the trial for a piece of advice; null if there is none.
  const AdviceTrial* against(const model::Advice& advice) const;
};

/// Returns whether a candidate may help against the bottleneck that `advice` names, by its primitives, its numbers of
/// threads and thread blocks, or because it edits an earlier step. For advice on accesses and idle lanes, the candidate
/// must also change the block or buffer that the advice is about. False for a candidate that applies several others one
/// after another (CandidateStep::joint).
bool couldHelp(const tune::CandidateStep& step, const model::Advice& advice);

/// Everything that `searchProposals` needs; `searchProposals` calls the functions on the thread that it runs on.
/// `written` and `isRight` must not be empty; the others may be.
struct ProposalQuery {
  document::History history;            ///< a copy, because the search runs on another thread
  int node = 0;                         ///< index of the state to search at
  std::vector<model::Advice> advice{};  ///< the model's advice for that state
  /// Whether the device has cp.async, ldmatrix and mma.sync of 16 × 8 × 16: sm_80 and later.
  bool hasAsyncCopies = true;
  std::optional<model::Device> device{};         ///< the device that the programs are for; nothing: any
  std::optional<CompiledTime> compiledBefore{};  ///< the prediction for the state by its machine code; nothing: unknown
  /// Returns the predicted time in µs of a program as written; nothing if there is none.
  std::function<std::optional<double>(const document::KernelText&)> written{};
  /// Returns the prediction for a program by its machine code; nothing if there is none. The function is empty if there
  /// is no compiler.
  std::function<std::optional<CompiledTime>(const document::KernelText&)> compiled{};
  /// Returns whether a state computes the same as the start of the history; false also if it can't be executed.
  std::function<bool(const schedule::State&)> isRight{};
  std::function<void(const Proposals&)> tell{};      ///< called with all results so far whenever there are further ones
  std::function<void(int done, int of)> progress{};  ///< called with the numbers of candidates predicted, and of all
};

/// Returns how many steps on the way to state `node`, from the edited one on, an edit replaces: those whose lines it
/// doesn't apply again as they are; at least 1. `edit` must be an edit (CandidateStep::edited) of that state.
int replacedSteps(const document::History& history, int node, const tune::CandidateStep& edit);

/// Predicts the times of all candidates of tune::candidateSteps, first of those that could help against the advice,
/// executes and compiles the most promising ones, and returns the results. They are the same whenever the query's
/// functions return the same. Takes seconds, so it must run on a background thread. When `stop` becomes true, returns
/// the results so far, with `done` false.
Proposals searchProposals(const ProposalQuery& query, const schedule::Environment& environment,
                          const std::atomic<bool>& stop);

}  // namespace loom::session
