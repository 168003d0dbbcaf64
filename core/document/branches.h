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

/// A state of the tree as a row of a list, or the title of a fold.
struct HistoryRow {
  int node = 0;         ///< of a title: the last of its states
  int depth = 0;        ///< branches to the left of it
  bool branch = false;  ///< the first state of a branch
  int states = 0;       ///< of the branch, with those that branch off from it; 0: `branch` is false
  bool folded = false;  ///< the branch's other states have no rows
  /// The way from the start to the state on show: whether it is on it, and the columns left of it (a bit each) in which
  /// the way passes by.
  bool onWay = false;
  std::uint64_t passing = 0;
  int fold = -1;            ///< of a title: its index in History::folds; −1: the row is a state's
  bool open = false;        ///< of a title: whether its states have rows of their own below it
  int first = 0;            ///< of a title: the first of its states; else `node`
  int steps = 1;            ///< of a title: how many states it stands for
  int level = 0;            ///< titles that the row stands under
  bool holdsShown = false;  ///< of a title that isn't open: whether the state on show is one of its states
};

/// What is open in the list of a history: everything else is one row.
struct OpenRows {
  std::set<int> branches;  ///< by their first states
  std::set<int> folds;     ///< by their indices in History::folds
};

/// Returns the history's tree as a list. The path that was first taken from a state goes straight on in its column, as
/// the first parent does in a graph of commits. Every other path is a branch, one column further, between the two; only
/// its first state has a row unless the branch is open. The states of a fold stand under its title, or are that row
/// alone; what branches off from them stands below it. Deleted states have no rows. `shown` is the state on show.
std::vector<HistoryRow> historyRows(const History& history, const OpenRows& open, int shown);

/// Opens what has to be open so that a state has a row: the branches that hold it, and the folds whose last state it
/// isn't.
void openAround(OpenRows& open, const History& history, int node);

/// Returns all states that aren't deleted: each path straight on from its first state, and after it the branches off
/// it, in the order in which they leave it.
std::vector<int> statesByWay(const History& history);

}  // namespace loom::document
