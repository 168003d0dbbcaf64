#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/tune/space/reduction.h"

namespace loom::tune {

/// A constraint as an automaton: its states are the forms that it takes while its own decisions get their values.
/// States are found when they are first reached, and each step is reduced once, however many partial assignments take
/// it.
class Residual {
 public:
  static constexpr int kHolds = -1;     ///< the constraint holds whatever becomes of what is open
  static constexpr int kBroken = -2;    ///< no choice of what is open mends it
  static constexpr int kOverflow = -3;  ///< its numbers are too large to say

  Residual(const Space& space, const Constraint& constraint);

  /// Returns the decisions that the constraint names, ascending.
  const std::vector<int>& decisions() const { return decisions_; }
  /// Returns the state before any decision, or one of the three above.
  int start() const { return start_; }
  /// Returns the state after the next own decision gets its value number `valueIndex`. `state` is at least 0.
  int after(int state, int valueIndex);

 private:
  struct State {
    int step;  // how many own decisions have values
    Form form;
    std::vector<int> after;  // by value; kUnknown until it is asked for
  };
  static constexpr int kUnknown = -4;

  int stateOf(int step, const Reduced& reduced);

  std::unique_ptr<Reduction> reduction_;
  std::vector<int> decisions_;
  std::vector<std::vector<std::int64_t>> values_;  // of each own decision
  std::vector<State> states_;
  std::vector<std::map<Form, int>> known_;  // by step
  int start_;
};

}  // namespace loom::tune
