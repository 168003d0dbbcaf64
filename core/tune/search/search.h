#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/document/kernel.h"
#include "core/model/device.h"
#include "core/schedule/environment.h"
#include "core/tune/rules/built.h"
#include "core/tune/search/correction.h"
#include "core/tune/search/formula.h"
#include "core/tune/space/diagram.h"
#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// The way in which a search for a fast schedule chooses the candidates to be measured next; all begin with the
/// constructed schedules. The formula predicts times of families, schedules with the same tile sizes and stages, before
/// any schedule is made; predictions are otherwise those of the model from the program or machine code of a candidate.
/// While nothing is measured, the first constructed schedule counts as the best measured candidate.
enum class Strategy : std::uint8_t {
  Funnel,      ///< the formula's families, children and neighbours of the best, some uniform draws, by prediction
  Evolution,   ///< children of the best measured candidates, ranked by prediction
  Coordinate,  ///< the best measured candidate with one decision changed, ranked by prediction
  Random,      ///< schedules drawn uniformly, whatever is predicted
  Exhaustive,  ///< all schedules in a fixed order: families as the formula ranks them, then sketches without a formula
};

/// The way in which a candidate was found: constructed by rules, drawn from a family that the formula ranks high, drawn
/// uniformly, as a child of two candidates, as a neighbour of one, or in the order of an exhaustive search.
enum class Origin : std::uint8_t { Construction, Formula, Uniform, Child, Neighbour, Enumerated };

/// A schedule that a search has looked at: values for all decisions of a sketch, which is a schedule with open
/// decisions.
struct Candidate {
  int sketch = 0;  ///< index in RulePlan::sketches
  Assignment assignment;
  Origin origin = Origin::Uniform;
  std::string lines;                                   ///< step lines, one a line
  std::shared_ptr<const document::KernelText> kernel;  ///< null if its lines are refused or make no kernel: `death`
  std::vector<double> quantities;                      ///< for Correction::factor: logarithms of tile sizes and others
  std::string family;                                  ///< a key that candidates with the same tile and stages share
  std::optional<double> formula;             ///< µs that ProductFormula predicts; nothing: no formula for the sketch
  std::optional<double> predicted;           ///< µs that the model predicts, not corrected; nothing: no prediction
  std::optional<double> predictedAsWritten;  ///< µs predicted from the program, kept after compiling
  bool asCompiled = false;                   ///< whether `predicted` was made from the machine code, not the program
  std::optional<double> measured;            ///< µs; nothing: not measured
  double deviceSeconds = 0;                  ///< device time, in s, that the search had used when this was measured
  std::optional<Error> death;                ///< why the candidate was discarded; nothing: it wasn't
};

/// A search over the sketches of a plan, which rules wrote for one program. The search draws candidates and predicts
/// their times from the program; its caller compiles and measures them and reports the results (n is the number of
/// candidates to measure, i an index):
///
///     while there is time:
///       list = search.shortlist(2 * n)      compile each: search.compiled(i, µs) or search.died(i, error)
///       round = search.round(list, n)       measure each: search.measured(i, µs) or search.died(i, error)
///     search.best()
///
/// A list may have candidates that were compiled in an earlier turn (Candidate::asCompiled), which needn't be compiled
/// again. Candidates are named by their index in `candidates()`. A schedule whose kernel was seen before is no new
/// candidate. The search is deterministic for a seed. Schedules are applied and lowered on all cores but one.
class Search {
 public:
  /// `diagrams` has an entry for each sketch of the plan, empty if the sketch's space isn't counted: then only the
  /// sketch's construction becomes a candidate. `start` is the unscheduled program that the plan is for. `plan`,
  /// `diagrams`, `device` and the library of `environment` must outlive the search. `built` are constructed schedules
  /// with their kernels, of any of the sketches; only if it is empty, the constructor makes one of each sketch that can
  /// be constructed, which may take seconds. All calls but those of the stop token must be made by one thread.
  Search(const RulePlan& plan, const std::vector<std::optional<Diagram>>& diagrams, schedule::State start,
         const model::Device& device, const schedule::Environment& environment, Strategy strategy, std::uint64_t seed,
         const std::vector<Built>& built = {});

  /// Sets a token by which another thread can end the drawing of candidates, which may take seconds. Candidates that
  /// were not made by then are left out, so that the search is no longer the same for a seed.
  void endWith(std::stop_token stop) { stop_ = std::move(stop); }
  /// Draws new candidates, and returns up to `count` candidates that are neither discarded nor measured, drawn now or
  /// earlier: first the constructed schedules, then the others by predicted time, at most three of one family while
  /// there are others. Random and exhaustive searches keep the order in which these others were drawn. An exhaustive
  /// search doesn't limit families and, while nothing is measured, leaves out compiled candidates, so that it goes on
  /// without a device. Empty if no candidate is left.
  std::vector<std::size_t> shortlist(std::size_t count);
  /// Returns up to `count` candidates of a shortlist that are to be measured: the constructed ones, then those
  /// predicted fastest, and in place of up to an eighth of them those of Origin::Uniform that are predicted slowest, so
  /// that the median error of predictions is not only over candidates that the model prefers. Random and exhaustive
  /// searches take the first ones of the list. Candidates that are discarded are left out.
  std::vector<std::size_t> round(const std::vector<std::size_t>& list, std::size_t count) const;

  /// Reports the time that is predicted from the machine code of a candidate, in µs. If none is predicted, nothing is
  /// reported, and the candidate keeps its prediction from the program.
  void compiled(std::size_t candidate, double microseconds);
  /// Reports the measured time of a candidate, in µs. `deviceSeconds` is how long the search had used devices by then.
  void measured(std::size_t candidate, double microseconds, double deviceSeconds = 0);
  /// Reports that a candidate is discarded, since it can't be compiled, fails, or computes a wrong result.
  void died(std::size_t candidate, Error why);

  /// Returns all candidates so far, also the discarded ones. References to them are valid until `shortlist` is called.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  /// Returns up to `count` candidates that were measured and not discarded, the fastest first.
  std::vector<std::size_t> fastest(std::size_t count) const;
  /// Returns the fastest measured candidate, or, if none has a measured time, the one predicted fastest; nothing if
  /// there is no candidate that isn't discarded.
  std::optional<std::size_t> best() const;
  /// Returns the median of |predicted / measured − 1| over the measured candidates with a prediction; nothing while
  /// there is none.
  std::optional<double> error() const;

  /// Returns how many families of schedules the formula ranked before any schedule was drawn.
  std::size_t familyCount() const { return ranked_.size(); }
  /// Returns how many seconds the formula took to rank all families.
  double formulaSeconds() const { return formulaSeconds_; }
  /// Returns the median of |formula / measured − 1| over the measured candidates that the formula predicts; nothing
  /// while there is none.
  std::optional<double> formulaError() const;
  /// Returns how many schedules an exhaustive search has enumerated so far, including those with the same kernel as an
  /// earlier one; 0 for other strategies.
  Count enumerated() const { return enumerated_; }
  /// Returns the number of schedules of all sketches together; nothing if a sketch's space isn't counted.
  std::optional<Count> schedules() const;

 private:
  struct Proposal {
    int sketch = 0;
    Assignment assignment;
    Origin origin = Origin::Uniform;
  };
  Candidate described(Proposal proposal) const;  // without lines and kernel
  Candidate made(Proposal proposal) const;
  void rankFamilies();
  std::optional<Proposal> drawnByFormula();
  std::optional<Proposal> nextInOrder();
  void add(std::vector<Proposal> proposals);
  void draw(std::size_t count);

  // Predicted times, each corrected by what measurements until now say of the model that made it.
  class Promises {
   public:
    explicit Promises(const std::vector<Candidate>& candidates);
    double of(const Candidate& c) const;  // microseconds; infinite where nothing is predicted

   private:
    static Correction learned(const std::vector<Candidate>& candidates, bool asCompiled);
    std::array<Correction, 2> byCode_;  // for predictions from the program, and from the machine code
  };

  std::vector<std::size_t> drawnFrom() const;

  const RulePlan& plan_;
  const std::vector<std::optional<Diagram>>& diagrams_;
  schedule::State start_;
  const model::Device& device_;
  schedule::Environment environment_;
  Strategy strategy_;
  Random random_;
  std::stop_token stop_;
  std::vector<std::optional<PinnedCounts>> counts_;   // by sketch
  std::vector<std::optional<FormulaTier>> formulas_;  // by sketch
  struct RankedFamily {
    double microseconds = 0;
    int sketch = 0;
    std::size_t family = 0;
  };
  std::vector<RankedFamily> ranked_;  // of all sketches, the fastest first
  double formulaSeconds_ = 0;
  // The position of an exhaustive search: a family of `ranked_`, or after them all a sketch that has no formula, and
  // the number of the next schedule in it.
  std::size_t orderFamily_ = 0, orderSketch_ = 0;
  Count orderIndex_ = 0, enumerated_ = 0;
  std::vector<Candidate> candidates_;
  std::set<std::pair<int, Assignment>> seen_;
  std::set<std::string> kernels_;  // keys of the kernels seen
};

}  // namespace loom::tune
