#pragma once

#include "core/document/history.h"

namespace loom::workbench {

/// How many states of other branches have the number of this one: a number counts the steps from the start on the way
/// to its state. States that are hidden don't count.
int othersOfSameNumber(const document::History& history, int node);

}  // namespace loom::workbench
