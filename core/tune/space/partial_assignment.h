#pragma once

#include <span>
#include <vector>

#include "core/tune/space/residual.h"

namespace loom::tune {

/// A partial assignment that a depth-first search extends and takes back. A space has decisions with finite domains,
/// and constraints between them. Here the first decisions have values, and every constraint is reduced to its demand on
/// the other decisions, which are open.
class PartialAssignment {
 public:
  enum class Verdict : std::uint8_t {
    Possible,  ///< each constraint by itself can still be satisfied
    Broken,    ///< some constraint can't be satisfied any more
    Overflow,  ///< the numbers of some constraint are too large for an exact answer
  };

  /// Makes an assignment in which no decision has a value. The space must be sound (problemOf returns nothing); what is
  /// needed of it is copied. `known` has automata that other assignments of the space have made, and takes those that
  /// this one makes; null: there are none.
  explicit PartialAssignment(const Space& space, KnownResiduals* known = nullptr);

  /// Returns the verdict of the constraints before any decision has a value.
  Verdict start() const { return start_; }
  /// Returns how many decisions have values.
  int depth() const { return static_cast<int>(chosen_.size()); }
  /// Gives the next decision, of which there must be one, the value with index `valueIndex` in its domain, and returns
  /// the verdict. If the verdict isn't Possible, the decision stays open. To be called only if `start()` is Possible.
  Verdict decide(int valueIndex);
  /// Takes the value of the last decision away. `depth()` must be positive.
  void undo();
  /// Returns the value indices of the decisions that have values, in order.
  const std::vector<int>& chosen() const { return chosen_; }

  /// Returns how many numbers the key of a partial assignment with `depth` values has, from 0 to the number of
  /// decisions.
  std::size_t keyWidth(int depth) const { return underway_[static_cast<std::size_t>(depth)].size(); }
  /// Appends the key of the partial assignment to `key`: for each constraint that depends on decisions both with and
  /// without values, a number that stands for its demand on the open ones. Two partial assignments of this object with
  /// the same depth and key have the same completions; keys of different objects can't be compared.
  void appendKey(std::vector<int>& key) const;

 private:
  std::vector<std::shared_ptr<Residual>> residuals_;
  std::vector<std::vector<int>> touched_;   // by decision: the constraints that name it
  std::vector<std::vector<int>> underway_;  // by depth: the constraints that name decisions before and after it
  std::vector<int> states_;                 // the state of each constraint's automaton
  std::vector<int> saved_;                  // for each decision made: the states before it of the constraints naming it
  std::vector<int> chosen_;
  Verdict start_ = Verdict::Possible;
};

}  // namespace loom::tune
