#pragma once

#include <span>
#include <vector>

#include "core/tune/space/residual.h"

namespace loom::tune {

/// An assignment under way: the first decisions of a space have values, and every constraint is reduced to what is left
/// of it. What the counted diagram and the random descent have in common.
class PartialAssignment {
 public:
  enum class Verdict : std::uint8_t {
    Possible,  ///< no constraint alone forbids what is open
    Broken,    ///< a constraint forbids all of what is open
    Overflow,  ///< a constraint's numbers are too large to say
  };

  explicit PartialAssignment(const Space& space);

  /// Returns what the constraints say before any decision.
  Verdict start() const { return start_; }
  /// Returns how many decisions have values.
  int depth() const { return static_cast<int>(chosen_.size()); }
  /// Gives the next decision its value number `valueIndex`. Keeps it only if the result is Possible.
  Verdict decide(int valueIndex);
  /// Takes the last decision's value away.
  void undo();
  /// Returns the value numbers of the decisions that have values.
  const std::vector<int>& chosen() const { return chosen_; }

  /// Returns how many numbers the key of a partial assignment of this depth has.
  std::size_t keyWidth(int depth) const { return underway_[static_cast<std::size_t>(depth)].size(); }
  /// Appends the key: the states of the constraints that are neither untouched nor settled. Two partial assignments of
  /// one depth with the same key have the same completions.
  void appendKey(std::vector<int>& key) const;

 private:
  std::vector<Residual> residuals_;
  std::vector<std::vector<int>> touched_;   // by decision: the constraints that name it
  std::vector<std::vector<int>> underway_;  // by depth: the constraints that name decisions before and after it
  std::vector<int> states_;                 // of each constraint
  std::vector<int> saved_;                  // states before each decision, of the constraints that it touched
  std::vector<int> chosen_;
  Verdict start_ = Verdict::Possible;
};

}  // namespace loom::tune
