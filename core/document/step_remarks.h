// What is to be said of the steps of a history: warnings of what a step breaks, and notes on what has no effect.
#pragma once
#include "core/document/history.h"
#include "core/lower/step_remarks.h"

namespace loom::document {

// Returns lower::remarksOnStep of the step that led to `node`; nothing for the start. With `lowered`, the state and its
// parent are lowered as well (some milliseconds), and the remarks of lowering on the kernel are added.
std::vector<lower::StepRemark> remarksOnStep(const History& history, int node, bool lowered = false);

}  // namespace loom::document
