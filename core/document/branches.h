#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/document/history.h"

/// The branches of a history's tree. The first way that was taken from a state goes on in its branch, every other one
/// begins a branch of its own. States are given by their index in the history; deleted ones belong to no branch.
namespace loom::document {

/// Returns how many other states have the number of this one: a number counts the steps from the start on the path to
/// its state. States that are hidden don't count.
int othersOfSameNumber(const History& history, int node);

/// Returns whether the path from the start to `node` passes `above`, or ends there.
bool leadsTo(const History& history, int above, int node);

/// Returns the first state of the branch that a state is on: the closest one on the path to it that is not its parent's
/// first child. −1: the state is on no branch.
int firstOfBranch(const History& history, int node);

/// A state of the tree as a row of a list.
struct HistoryRow {
  int node = 0;
  int depth = 0;        ///< branches to the left of it
  bool branch = false;  ///< the first state of a branch
  int states = 0;       ///< of the branch, with those that branch off from it; 0: `branch` is false
  bool folded = false;  ///< the branch's other states have no rows
  /// The way from the start to the state on show: whether it is on it, and the columns left of it (a bit each) in which
  /// the way passes by.
  bool onWay = false;
  std::uint64_t passing = 0;
};

/// The tree as a list: the first way that was taken from a state goes straight on, in its column, as the first parent
/// does in a graph of commits. Every other is a branch, one column further, between the two; it is its first state
/// alone unless that is in `unfolded`. Deleted states have no rows. `shown` is the state on show.
std::vector<HistoryRow> historyRows(const History& history, const std::set<int>& unfolded, int shown);

/// All states that aren't deleted, each way straight on from its first state and after it the branches off it, in the
/// order in which they leave it.
std::vector<int> statesByWay(const History& history);

/// The first states of the branches that hold a state, outermost first, without those that it is itself.
std::vector<int> branchesAround(const History& history, int node);

}  // namespace loom::document
