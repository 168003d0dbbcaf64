#pragma once

#include "core/document/history.h"

namespace loom::document {

/// How many states of other branches have the number of this one: a number counts the steps from the start on the way
/// to its state. States that are hidden don't count.
int othersOfSameNumber(const History& history, int node);

/// Whether one comes through `above` to `node`, or is there.
bool leadsTo(const History& history, int above, int node);

/// The first state of the branch that a state is on: the closest one on the way to it that is not its parent's first
/// child. −1: it is on none.
int firstOfBranch(const History& history, int node);

}  // namespace loom::document
