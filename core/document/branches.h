#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/document/history.h"

/// The branches of a history's tree. A state is the program after some schedule steps; its children are the states
/// after one more step. A fold groups states that were made at once under one title. The first child of a state that
/// isn't deleted continues the state's branch; every other child begins a branch of its own. States are given by their
/// index in the history; deleted states, and those that follow from them, belong to no branch.
namespace loom::document {

/// Returns how many other states have the same number as `node`. The number of a state is that of the steps on the path
/// from the start to it. Deleted states, and those that follow from them, aren't counted.
int othersOfSameNumber(const History& history, int node);

/// Returns whether the path from the start to `node` passes `above`, or ends there.
bool leadsTo(const History& history, int above, int node);

/// Returns the first state of the branch that a state is on: the closest one on the path to it that doesn't continue
/// its parent's branch. −1: there is none.
int firstOfBranch(const History& history, int node);

/// A state of the tree as a row of a list, or the title of a fold.
struct HistoryRow {
  int node = 0;         ///< the row's state; for a title, the last of the fold's states
  int depth = 0;        ///< the row's column, from 0; each branch is one column to the right of what it leaves
  bool branch = false;  ///< whether the state is the first of a branch
  int states = 0;       ///< if `branch`: number of states of the branch and of all branches off it; else 0
  bool folded = false;  ///< whether the branch's other states have no rows
  bool onWay = false;   ///< whether the row is on the path from the start to the state on show
  /// Bit c: the path from the start to the state on show passes the row in column c, to the left of the row's own
  /// column; columns from 64 on have no bit.
  std::uint64_t passing = 0;
  int fold = -1;            ///< for a title: its index in History::folds; −1: the row is a state
  bool open = false;        ///< for a title: whether its states have rows of their own below it
  int first = 0;            ///< for a title: the first of its states; else `node`
  int steps = 1;            ///< for a title: how many states it stands for; else 1
  int level = 0;            ///< number of titles that the row stands under
  bool holdsShown = false;  ///< for a title that isn't open: whether the state on show is one of its states
};

/// The branches and folds whose states have rows in the list of a history; every other branch or fold is one row.
struct OpenRows {
  std::set<int> branches;  ///< the first states of the open branches
  std::set<int> folds;     ///< indices of the open folds in History::folds
};

/// Returns the history's tree as a list of rows. The first child of a state stands in the same column as the state, as
/// the first parent does in a graph of commits. Every other child begins a branch one column to the right, whose rows
/// stand between the state and its first child; unless the branch is open, only its first state has a row. The states
/// of a fold stand under the row of its title if the fold is open, otherwise the title is their only row; branches off
/// them stand below. Deleted states have no rows. `shown` is the state on show.
std::vector<HistoryRow> historyRows(const History& history, const OpenRows& open, int shown);

/// Adds to `open` the branches and folds that have to be open so that a state has a row: the branches on the path to it
/// whose first state is another one, and the folds that contain it and whose last state is another one.
void openAround(OpenRows& open, const History& history, int node);

/// Returns all states that aren't deleted, branch after branch: first the states of a branch, from the first to the
/// last, then the branches off it, in the order of the states at which they begin.
std::vector<int> statesByWay(const History& history);

}  // namespace loom::document
