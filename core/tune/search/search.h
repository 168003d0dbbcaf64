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

/// How a search finds what to measure next.
enum class Strategy : std::uint8_t {
  Funnel,      ///< by corrected prediction, children and neighbours of the best, and some drawn uniformly
  Evolution,   ///< children of the best measured, ranked by prediction
  Coordinate,  ///< the best measured with one decision changed
  Random,      ///< drawn uniformly, whatever is predicted
  Exhaustive,  ///< all schedules in a fixed order: by the formula, and of what it knows nothing of by their numbers
};

/// How a candidate came to be.
enum class Origin : std::uint8_t { Construction, Formula, Uniform, Child, Neighbour, Enumerated };

/// A schedule that a search has looked at.
struct Candidate {
  int sketch = 0;  ///< index in RulePlan::sketches
  Assignment assignment;
  Origin origin = Origin::Uniform;
  std::string lines;                                   ///< step lines, one a line
  std::shared_ptr<const document::KernelText> kernel;  ///< null if it died before it was one
  std::vector<double> quantities;                      ///< logarithms of what the correction looks at
  std::string family;                                  ///< equal of candidates with the same tile and stages
  std::optional<double> formula;                       ///< microseconds, by the formula; nothing: it has none
  std::optional<double> predicted;                     ///< microseconds
  std::optional<double> predictedAsWritten;            ///< microseconds, of the program, also once it is compiled
  bool asCompiled = false;                             ///< whether `predicted` is of the machine code
  std::optional<double> measured;                      ///< microseconds
  double deviceSeconds = 0;                            ///< that the search had used when it was measured
  std::optional<Error> death;                          ///< why it is no answer: its code is the reason's
};

/// A search over the sketches of a plan. It draws and predicts by itself; whoever runs it compiles and measures:
///
///     while there is time:
///       list = search.shortlist(2 * n)      compile each: search.compiled(i, µs) or search.died(i, error)
///       round = search.round(list, n)       measure each: search.measured(i, µs) or search.died(i, error)
///     search.best()
///
/// A schedule whose kernel was seen before is no new candidate. Deterministic for a seed. Schedules are applied and
/// lowered on all cores but one.
class Search {
 public:
  /// `diagrams` is by sketch; an entry is empty for a space that isn't counted, of which only the construction is
  /// looked at. What is passed by reference must outlive the search. `built` are constructions with their kernels, of
  /// any of the sketches; if it is empty, they are made here.
  Search(const RulePlan& plan, const std::vector<std::optional<Diagram>>& diagrams, schedule::State start,
         const model::Device& device, const schedule::Environment& environment, Strategy strategy, std::uint64_t seed,
         const std::vector<Built>& built = {});

  /// Has the drawing of candidates, which may take seconds, end once a stop is requested. What was not made by then is
  /// left out, so that the search is no longer the same for a seed.
  void endWith(std::stop_token stop) { stop_ = std::move(stop); }
  /// Returns up to `count` candidates that are neither dead nor measured, the most promising first, at most three of
  /// one family while there are others. Draws more of them before. Empty when nothing new is found.
  std::vector<std::size_t> shortlist(std::size_t count);
  /// Returns the `count` of a shortlist's candidates that are to be measured; some of them drawn uniformly, so that the
  /// error that is shown is not only of what the model likes.
  std::vector<std::size_t> round(const std::vector<std::size_t>& list, std::size_t count) const;

  void compiled(std::size_t candidate, double microseconds);
  /// Reports the time of a candidate. `deviceSeconds` is how long the search had used devices by then.
  void measured(std::size_t candidate, double microseconds, double deviceSeconds = 0);
  void died(std::size_t candidate, Error why);

  const std::vector<Candidate>& candidates() const { return candidates_; }
  /// Returns up to `count` candidates that were measured, the fastest first.
  std::vector<std::size_t> fastest(std::size_t count) const;
  /// Returns the fastest measured candidate, or else the one predicted fastest; nothing if all are dead.
  std::optional<std::size_t> best() const;
  /// Returns the median of |predicted / measured − 1| over the measured candidates; nothing while there is none.
  std::optional<double> error() const;

  /// Return how many families of schedules the formula ranked before any was drawn, in how many seconds, and its error
  /// against what was measured, as `error`.
  std::size_t familyCount() const { return ranked_.size(); }
  double formulaSeconds() const { return formulaSeconds_; }
  std::optional<double> formulaError() const;
  /// Returns how many schedules an exhaustive search has come past in its order, those among them whose kernel is
  /// another's; 0 for other strategies. And how many there are; nothing if a sketch's space isn't counted.
  Count enumerated() const { return enumerated_; }
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

  // What candidates promise, with what was learned of each of the two models until now.
  class Promises {
   public:
    explicit Promises(const std::vector<Candidate>& candidates);
    double of(const Candidate& c) const;  // microseconds; infinite where nothing is predicted

   private:
    static Correction learned(const std::vector<Candidate>& candidates, bool asCompiled);
    std::array<Correction, 2> byCode_;  // of the program as written, of the machine code
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
  // Where an exhaustive search is: in a family of `ranked_`, or behind these in a sketch that has no formula.
  std::size_t orderFamily_ = 0, orderSketch_ = 0;
  Count orderIndex_ = 0, enumerated_ = 0;
  std::vector<Candidate> candidates_;
  std::set<std::pair<int, Assignment>> seen_;
  std::set<std::string> kernels_;  // keys
};

}  // namespace loom::tune
