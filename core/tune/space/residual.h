#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/tune/space/reduction.h"

namespace loom::tune {

/// A constraint between decisions of a space as an automaton: a state says what the constraint still demands after the
/// first of the decisions that it names have got values. States are computed when they are first reached, and each
/// transition only once, however many partial assignments take it.
class Residual {
 public:
  static constexpr int kHolds = -1;     ///< the constraint holds, whatever values the open decisions get
  static constexpr int kBroken = -2;    ///< the constraint is broken, whatever values the open decisions get
  static constexpr int kOverflow = -3;  ///< the constraint's numbers are too large for an exact answer

  /// Makes the automaton of a constraint of the space, of both of which it copies what it needs.
  Residual(const Space& space, const Constraint& constraint);

  /// Returns the decisions that the constraint names, ascending.
  const std::vector<int>& decisions() const { return decisions_; }
  /// Returns the state before any decision has a value, at least 0, or kHolds, kBroken or kOverflow.
  int start() const { return start_; }
  /// Returns the state that follows `state`, which must be at least 0, when the next of `decisions()` gets the value
  /// with index `valueIndex` in its domain: at least 0, or kHolds, kBroken or kOverflow, one of which the last decision
  /// always leads to.
  int after(int state, int valueIndex);

 private:
  struct State {
    int step;  // how many of the constraint's decisions have values
    Form form;
    std::vector<int> after;  // the next state by value index; kUnknown until it is asked for
  };
  static constexpr int kUnknown = -4;

  int stateOf(int step, const Reduced& reduced);

  std::unique_ptr<Reduction> reduction_;
  std::vector<int> decisions_;
  std::vector<std::vector<std::int64_t>> values_;  // the domain of each of the constraint's decisions
  std::vector<State> states_;
  std::vector<std::map<Form, int>> known_;  // by step: the states by their form
  int start_;
};

/// The automata of a space's constraints, each kept for the domains of the decisions that it names: where a search
/// after another leaves other values to few decisions, most constraints have the automaton that they had. For one
/// thread at a time.
class KnownResiduals {
 public:
  /// Returns the automaton of the constraint with this index in Space::constraints, new or kept. `space` must always be
  /// the same but for values that are missing in its domains.
  std::shared_ptr<Residual> of(const Space& space, std::size_t constraint);

 private:
  // By the constraint's index and, for each of its decisions, the number of values and these.
  std::map<std::vector<std::int64_t>, std::shared_ptr<Residual>> known_;
};

}  // namespace loom::tune
